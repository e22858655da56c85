import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { askOpen, type Open } from './ask.ts';

const ALL_OPEN: Open = { kind: null, contract: null, ci: null };

async function answers(text: string, open = ALL_OPEN) {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(text);
  const beginning = await askOpen(open, { input, output });
  return { beginning, asked: String(output.read() ?? '') };
}

describe('the three questions', () => {
  it('take the first answer where a line is empty', async () => {
    const { beginning } = await answers('\n\n\n');
    expect(beginning).toEqual({ kind: 'sql', contract: 'strict', ci: 'github' });
  });

  it('take numbers and names', async () => {
    const { beginning } = await answers('3\nin-order\nnone\n');
    expect(beginning).toEqual({ kind: 'python', contract: { preset: 'strict', late: 'never' }, ci: 'none' });
  });

  it('ask again where an answer is none of the choices', async () => {
    const { beginning, asked } = await answers('9\ncobol\n2\n\n\n');
    expect(beginning?.kind).toBe('typescript');
    expect(asked).toContain('`cobol` is none of them.');
  });

  it('end with the input', async () => {
    expect((await answers('2\n')).beginning).toEqual({
      kind: 'typescript',
      contract: 'strict',
      ci: 'github',
    });
  });

  it('are not asked where flags say it already', async () => {
    const { beginning, asked } = await answers('', { kind: 'python', contract: 'daily-merge', ci: 'gitlab' });
    expect(beginning).toEqual({ kind: 'python', contract: 'daily-merge', ci: 'gitlab' });
    expect(asked).toBe('');
  });
});
