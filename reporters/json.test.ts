import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { OPTIONS } from '../src/contract/contract.ts';
import { createReporter } from './json.ts';
import { PASS, SAMPLES } from './samples.ts';
import { written } from './testing.ts';

const SCHEMA = JSON.parse(readFileSync(new URL('../docs/schemas/report-1.json', import.meta.url), 'utf8'));
const validate = new Ajv({ allErrors: true }).compile(SCHEMA);

function errorsOf(report: unknown): string[] {
  validate(report);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe('the JSON report', () => {
  test.each(Object.entries(SAMPLES))('of %s is the report, and follows its schema', (_name, report) => {
    const text = written(createReporter, report);
    expect(JSON.parse(text)).toEqual(report);
    expect(text.endsWith('}\n')).toBe(true);
    expect(errorsOf(JSON.parse(text))).toEqual([]);
  });

  test.each(['tool', 'implementation', 'contract', 'verdict', 'cases', 'checks', 'findings', 'timings'])(
    'may not lack `%s`',
    (name) => {
      const { [name as keyof typeof PASS]: _, ...rest } = PASS;
      expect(errorsOf(rest)).toContain(` must have required property '${name}'`);
    },
  );

  test('may hold nothing that its schema does not know', () => {
    expect(errorsOf({ ...PASS, extra: 1 })).toContain(' must NOT have additional properties');
  });

  test('holds the scope, the random part and the situations reached', () => {
    const timings = { totalMs: 1, implementationMs: 1, generateMs: 0, judgeMs: 0 };
    const shared = { histories: 6144, failing: 0, forgiven: 0, completed: true, findings: [], timings };
    const scope = { ...shared, words: 'every history', batches: 4, palette: ['absent', 'A'], orders: 24 };
    const random = { ...shared, seed: 1, batches: 50, facts: 9 };
    const report = { ...PASS, scope, random, coverage: { 'no-op': 12 } };
    expect(errorsOf(report)).toEqual([]);
  });

  test('knows every field of a contract with its options', () => {
    const { properties } = SCHEMA.definitions.Contract;
    for (const [field, { options, ...rest }] of Object.entries(OPTIONS)) {
      expect(properties[field]?.enum, field).toEqual('open' in rest ? undefined : options);
    }
  });

  test('describes every property', () => {
    expect(undescribed(SCHEMA, SCHEMA, '')).toEqual([]);
  });
});

/** Paths of properties that have no description, neither their own nor that of the definition they refer to. */
function undescribed(node: Record<string, unknown>, root: typeof SCHEMA, path: string): string[] {
  const properties = Object.entries((node['properties'] ?? {}) as Record<string, Record<string, unknown>>);
  const definitions = Object.entries((node['definitions'] ?? {}) as Record<string, Record<string, unknown>>);
  const isDescribed = (schema: Record<string, unknown>) => {
    const target = String(
      schema['$ref'] ?? (schema['allOf'] as { $ref: string }[] | undefined)?.[0]?.$ref ?? '',
    );
    return (
      'const' in schema ||
      'description' in schema ||
      'description' in (root.definitions[target.split('/').at(-1)!] ?? {})
    );
  };
  return [
    ...properties.filter(([, schema]) => !isDescribed(schema)).map(([name]) => `${path}/${name}`),
    ...[...properties, ...definitions].flatMap(([name, schema]) =>
      undescribed(schema, root, `${path}/${name}`),
    ),
  ];
}
