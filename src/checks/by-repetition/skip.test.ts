import { describe, expect, test } from 'vitest';
import { contractOf } from '../../feed/testing.ts';
import type { ImplementationKind } from '../../plugins/implementation.ts';
import { whySkipped } from '../check.ts';
import { REPETITION_CHECKS } from '../index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Why a check is skipped for an implementation; null where it applies. */
function skip(id: string, fields: Fields, kind: ImplementationKind = 'sql', interruptible = true) {
  const check = REPETITION_CHECKS.find((one) => one.id === id)!;
  return whySkipped(check, contractOf(fields), { kind, interruptible, beginsFromTable: true });
}

const EVENTS = { feed: 'changes', changedAt: 'changed_at timestamp not null' };

describe('a check by repetition applies', () => {
  test.each<[string, Fields]>([
    ['idempotent', {}],
    ['idempotent', { late: 'never' }],
    ['order-independent', {}],
    ['order-independent', EVENTS],
    ['deterministic', {}],
    ['deterministic', { batchStates: 'one' }],
    ['deterministic', { duplicates: 'last' }],
    ['batching', { feed: 'delta', sameInstant: 'last' }],
    ['crash-safe', {}],
    ['crash-safe', { transaction: 'caller' }],
    ['resumes', { late: 'never' }],
    ['resumes', { late: 'never', firstStart: '1970-01-01' }],
  ])('%s under %o', (id, fields) => {
    expect(skip(id, fields)).toBeNull();
  });
});

describe('a check by repetition is skipped, and says why', () => {
  test.each<[string, Fields, string]>([
    ['order-independent', { late: 'ignore' }, '`late: ignore`'],
    ['order-independent', { late: 'reject' }, '`late: reject`'],
    ['order-independent', { late: 'never' }, '`late: never`'],
    [
      'order-independent',
      { stamp: 'row-time', changedAt: 'changed_at timestamp not null' },
      'arrive in their order',
    ],
    ['deterministic', { sameInstant: 'any' }, '`sameInstant: any`'],
    ['deterministic', { duplicates: 'any' }, '`duplicates: any`'],
    ['deterministic', { ...EVENTS, batchStates: 'one' }, '`batchStates: one`'],
    ['batching', {}, '`feed: snapshot`'],
    ['batching', EVENTS, '`feed: changes`'],
    ['batching', { feed: 'delta' }, '`sameInstant: never`'],
    ['resumes', {}, '`late: apply`'],
    [
      'resumes',
      { late: 'never', firstStart: '1970-01-01', firstStartScope: 'first-load' },
      '`firstStartScope: first-load`',
    ],
  ])('%s under %o', (id, fields, reason) => {
    expect(skip(id, fields)).toContain(reason);
  });

  test.each<[ImplementationKind, string]>([
    ['function', 'cannot be stopped half-way'],
    ['python', 'its state ends with its process'],
    ['command', 'the capability `durable`'],
    ['sql', 'leaves something in the connection'],
  ])('crash-safe for an uninterruptible %s', (kind, reason) => {
    expect(skip('crash-safe', {}, kind, false)).toContain(reason);
  });
});
