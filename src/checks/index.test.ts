import { describe, expect, test } from 'vitest';
import { consequences } from '../runner/roots.ts';
import { ALL_CHECKS, CHECK_IDS, CHECKS } from './index.ts';

describe('the checks', () => {
  test('have ids of their own', () => {
    expect(new Set(CHECK_IDS).size).toBe(ALL_CHECKS.length);
    for (const id of CHECK_IDS) expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  test('imply checks that exist, and never themselves, not even through others', () => {
    for (const check of CHECKS) {
      for (const implied of check.implies) expect(CHECK_IDS).toContain(implied);
      expect(consequences(check.id).has(check.id)).toBe(false);
    }
  });

  test('say what must hold in one sentence, and why', () => {
    for (const { title, why } of ALL_CHECKS) {
      expect(title).toMatch(/^[A-Z].*[.]$/);
      expect(why).toMatch(/[.]$/);
    }
  });
});
