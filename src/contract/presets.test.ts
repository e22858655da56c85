import { describe, expect, test } from 'vitest';
import { declareContract } from './declare.ts';
import { PRESETS } from './presets.ts';

const NAMED = PRESETS.map((preset) => [preset.id, preset] as const);

describe('the preset', () => {
  test.each(NAMED)('%s says for each of its decisions what its source says', (_, { decisions, because }) => {
    expect(Object.keys(because).sort()).toEqual(Object.keys(decisions).sort());
  });

  test.each(NAMED)('%s contradicts itself nowhere', (id, { decisions }) => {
    const { contract } = declareContract([[{ name: 'contract', value: id, where: 'a test' }]]);
    expect(contract).toMatchObject(decisions);
  });
});
