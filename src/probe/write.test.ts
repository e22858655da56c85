import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { ProbedField, ProbeReport } from './report.ts';
import { withHead, writeContract } from './write.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'scd2check-write-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

function field(
  name: ProbedField['field'],
  option: string,
  expected: string,
  isDeclared = false,
): ProbedField {
  return {
    field: name,
    status: 'follows',
    option,
    alike: [],
    expected,
    isDeclared,
    reason: null,
    evidence: [],
  };
}

function report(fields: readonly ProbedField[]): ProbeReport {
  return {
    schema: 1,
    tool: { name: 'scd2check', version: 'test' },
    implementation: { name: 'load', kind: 'sql' },
    contract: {},
    columns: [{ role: 'validFrom', name: 'dw_from', form: null, guessed: true }],
    fields,
    notes: [],
    batches: 30,
    totalMs: 1,
  };
}

const FOUND = report([
  field('deletes', 'ignore', 'close'),
  field('late', 'never', 'apply'),
  field('end', 'exclusive', 'exclusive'),
]);

function place(name: string, text: string, config: string | null = null) {
  const path = join(FOLDER, name);
  writeFileSync(path, text);
  return { path, cwd: FOLDER, program: [], config, isConfigured: false };
}

describe('the head of a script', () => {
  test('is put before a script that has none, and nothing else changes', async () => {
    const script = 'INSERT INTO dimension\nSELECT 1;\n';
    const target = place('bare.sql', script);
    chmodSync(target.path, 0o750);
    await writeContract(FOUND, target);
    expect(readFileSync(target.path, 'utf8')).toBe(
      `-- scd2check:contract strict\n-- scd2check:deletes ignore\n-- scd2check:validFrom dw_from\n\n${script}`,
    );
    expect(statSync(target.path).mode & 0o777).toBe(0o750);
  });

  test('never says that something does not happen: only the source can guarantee that', async () => {
    const target = place('never.sql', 'SELECT 1;\n');
    await writeContract(FOUND, target);
    expect(readFileSync(target.path, 'utf8')).not.toContain('late');
  });

  test('is completed, and a line for the same field takes its place', () => {
    const script =
      '-- Daily.\r\n-- scd2check:contract daily-merge\r\n-- scd2check:untracked street\r\n-- scd2check:deletes never\r\n\r\nSELECT 1;\r\n';
    const lines = [
      { name: 'deletes', value: 'ignore' },
      { name: 'untracked', value: 'current' },
    ];
    expect(withHead(script, lines, 'a.sql')).toBe(
      '-- Daily.\r\n-- scd2check:contract daily-merge\r\n-- scd2check:untracked street\r\n-- scd2check:deletes ignore\r\n-- scd2check:untracked current\r\n\r\nSELECT 1;\r\n',
    );
  });

  test('is left alone by text that only looks like one', () => {
    const script = "SELECT '\n-- scd2check:deletes close\n';\n";
    expect(withHead(script, [{ name: 'deletes', value: 'ignore' }], 'a.sql')).toBe(
      `-- scd2check:deletes ignore\n\n${script}`,
    );
  });
});

describe('the configuration', () => {
  test('gets an entry for the implementation, and keeps all that it has', async () => {
    const config = join(FOLDER, 'scd2check.config.json');
    writeFileSync(config, '{\n    "timeout": "20s",\n    "implementations": ["other.py", "load.py"]\n}\n');
    await writeContract(FOUND, place('load.py', '', config));
    const text = readFileSync(config, 'utf8');
    expect(JSON.parse(text)).toEqual({
      timeout: '20s',
      implementations: [
        'other.py',
        { path: 'load.py', contract: { preset: 'strict', deletes: 'ignore', validFrom: 'dw_from' } },
      ],
    });
    expect(text).toContain('\n    "timeout"');
  });

  test('that is code is not rewritten, and the line is given instead', async () => {
    const target = place('load.ts', '', join(FOLDER, 'scd2check.config.ts'));
    await expect(writeContract(FOUND, target)).rejects.toThrow(
      'Add this by hand:\n  contract: {"preset":"strict","deletes":"ignore","validFrom":"dw_from"},',
    );
  });
});
