import type { Cell } from '../contract/columns.ts';
import type { Contract, Field } from '../contract/contract.ts';
import { keysWith, type Line, type Question, questionsOf, stateWith, stateWithBoth } from './sheet.ts';

/*
 * What an implementation is asked. Each sheet is one feed. What could get a whole batch refused, or raise an error, has a sheet of its own,
 * so that it takes nothing else along.
 */

const FORM: readonly Field[] = ['historyHolds', 'stamp', 'end', 'openMarker', 'firstStart', 'grain'];

/** In order, one load an instant: the form of the table, and what gone keys, late comers and untracked attributes come to. */
export function basicQuestions(contract: Contract): readonly Question[] {
  const { operation, changedAt } = contract.columns;
  const row = (line: Line) => (operation === null ? null : line);
  return questionsOf(
    contract,
    'in-order',
    [0, 1, 2, 3, 4],
    [
      line('stays', [], 'a key that is always there', 'A A A A A'),
      line('change', FORM, 'a state changes', 'A B B A A'),
      line('later', ['firstStart', 'firstStartScope'], 'a key is first seen in a later load', '- A A A B'),
      changedAt === null
        ? null
        : line('newer', ['changeBy'], 'a row has a newer instant and nothing else new', 'A A A B B'),
      line('gone', ['feed', 'deletes'], 'a key is missing from a load', 'A A - - -'),
      line('back', ['feed', 'deletes', 'reappearance'], 'a missing key is back, unchanged', 'A - A A A'),
      line('back-changed', ['reappearance'], 'a missing key is back, changed', 'A - - B B'),
      row(line('deleted', ['feed', 'deletes'], 'a row says that its key is deleted', 'A A x - -')),
      row(line('deleted-back', ['reappearance'], 'a deleted key is back', 'A x - B B')),
      contract.columns.untracked.length === 0
        ? null
        : line('untracked', ['untracked'], 'an untracked attribute changes', 'A1 A0 A2 B0 B1'),
    ],
  );
}

/** Values that may count as equal. */
export function valueQuestions(contract: Contract): readonly Question[] {
  const pair = (id: string, words: string, first: string | null, second: string | null): Line => ({
    ...line(id, ['compare'], words, 'D E A'),
    states: { D: stateWith(contract, first), E: stateWith(contract, second) },
  });
  const both = (id: string, words: string, first: [Cell, Cell], second: [Cell, Cell]): Line => ({
    ...line(id, ['compare'], words, 'D E A'),
    states: { D: stateWithBoth(contract, first), E: stateWithBoth(contract, second) },
  });
  return questionsOf(
    contract,
    'values',
    [0, 1, 2],
    [
      line('anchor', [], 'a key that is always there', 'A A A'),
      line('to-null', ['compare'], 'a value becomes NULL', 'A N A'),
      line('from-null', ['compare'], 'NULL becomes a value', 'N A A'),
      pair('case', '`seg` becomes `SEG`', 'seg', 'SEG'),
      pair('blanks', '`seg` becomes `seg` with a blank after it', 'seg', 'seg '),
      pair('empty', 'NULL becomes an empty text', null, ''),
      pair('emptied', 'an empty text becomes NULL', '', null),
      both(
        'neighbour',
        'a value moves to the next column, and NULL to its place',
        ['seg', null],
        [null, 'seg'],
      ),
      both('delimiter', 'the boundary between two values moves', ['s|e', 'g'], ['s', 'e|g']),
    ],
  );
}

/** Keys that may count as the same. */
export function keyQuestions(contract: Contract): readonly Question[] {
  const pair = (id: string, words: string, first: string, second: string): Line => ({
    ...line(id, ['keyCompare'], words, "A A' B"),
    spellings: keysWith(contract, [first, second]),
  });
  return questionsOf(
    contract,
    'keys',
    [0, 1, 2],
    [
      line('anchor', [], 'a key that is always there', 'A A A'),
      pair('key-case', 'the key `key` comes as `KEY`', 'key', 'KEY'),
      pair('key-blanks', 'the key `id` comes with a blank after it', 'id', 'id '),
    ],
  );
}

/** Two loads of one instant that differ. */
export function tieQuestions(contract: Contract): readonly Question[] {
  const about: readonly Field[] = ['sameInstant'];
  return questionsOf(
    contract,
    'same-instant',
    [0, 1, 1],
    [
      line('anchor', [], 'a key that is always there', 'A A A'),
      line('changed-again', about, 'a second load of one instant says B, the first said A', 'A A B'),
      line('changed-back', about, 'a second load of one instant says A, the first said B', 'A B A'),
    ],
  );
}

export function equalRowsQuestions(contract: Contract): readonly Question[] {
  return questionsOf(
    contract,
    'equal-rows',
    [0, 1],
    [
      line('anchor', [], 'a key that is always there', 'A A'),
      line('twice', ['duplicates'], 'a load has a row twice', 'A B+B'),
    ],
  );
}

export function differingRowsQuestions(contract: Contract): readonly Question[] {
  return questionsOf(
    contract,
    'differing-rows',
    [0, 1],
    [
      line('anchor', [], 'a key that is always there', 'A A'),
      line('rising', ['duplicates'], 'a load has B and then C of a key', 'A B+C'),
      line('falling', ['duplicates'], 'a load has C and then B of a key', 'A C+B'),
    ],
  );
}

export function nullKeyQuestions(contract: Contract): readonly Question[] {
  return questionsOf(
    contract,
    'null-key',
    [0, 1, 2],
    [
      line('anchor', [], 'a key that is always there', 'A A A'),
      {
        ...line('null-key', ['nullKey'], 'a load has a row whose key is NULL', '- A B'),
        spellings: keysWith(contract, [null]) ?? [
          Object.fromEntries(contract.columns.key.map(({ name }) => [name, null])),
        ],
      },
    ],
  );
}

/** Only where NULL can be a key: whether the empty text is the same one. */
export function emptyKeyQuestions(contract: Contract): readonly Question[] {
  return questionsOf(
    contract,
    'empty-key',
    [0, 1, 2],
    [
      line('anchor', [], 'a key that is always there', 'A A A'),
      {
        ...line(
          'empty-key',
          ['nullKey', 'keyCompare'],
          'the empty key comes, and then the NULL key',
          "- A A'",
        ),
        spellings: keysWith(contract, ['', null]),
      },
    ],
  );
}

/** A load of the second day arrives after that of the third. By row time it is the rows that are late, and loads come in order. */
export function lateQuestions(contract: Contract): readonly Question[] {
  const byRow = contract.feed === 'changes' || contract.stamp === 'row-time';
  const days = byRow ? [0, 2, 3, 4] : [0, 2, 1, 3];
  const late = byRow ? '@1' : '';
  const canGo = !byRow || (contract.feed !== 'snapshot' && contract.columns.operation !== null);
  const gone = contract.feed === 'snapshot' || contract.columns.operation === null ? '-' : `x${late}`;
  return questionsOf(contract, 'late', days, [
    line('anchor', [], 'a key that is always there', 'A A A A'),
    line('late-between', ['late'], 'B comes late, of a day between A and C', `A C B${late} C`),
    line('late-same', ['late'], 'A comes late, and nothing was known of that day but A', `A B A${late} B`),
    line(
      'late-repeat',
      ['lateEvidence'],
      'B comes late, of a day between two loads that said A',
      `A A B${late} A`,
    ),
    line('late-first', ['lateScope'], 'a key is first named by a late load', `- - A${late} A`),
    canGo ? line('late-gone', ['late'], 'a late load says that a key was gone', `A B ${gone} B`) : null,
  ]);
}

/** A late load of which every key is new: late by batch, and not by key. */
export function lateScopeQuestions(contract: Contract): readonly Question[] {
  const byRow = contract.feed === 'changes' || contract.stamp === 'row-time';
  const first = contract.feed === 'snapshot' ? '-' : 'A';
  return questionsOf(contract, 'late-scope', byRow ? [2, 3] : [2, 1], [
    line('anchor', [], 'a key that came first', `${first} -`),
    line(
      'late-new',
      ['lateScope'],
      contract.feed === 'snapshot'
        ? 'after a load without rows, a late load brings a new key'
        : 'a late load brings nothing but a new key',
      byRow ? '- A@1' : '- A',
    ),
  ]);
}

export function emptyQuestions(contract: Contract): readonly Question[] {
  return questionsOf(
    contract,
    'empty',
    [0, 1, 2],
    [
      line('empty', ['emptySnapshot'], 'a load without rows, and then the same rows as before', 'A - A'),
      line('empty-too', ['emptySnapshot'], 'a load without rows, and then a change', 'A - B'),
    ],
  );
}

/** Several changes of a key in one load. */
export function severalQuestions(contract: Contract): readonly Question[] {
  const about: readonly Field[] = ['batchStates'];
  return questionsOf(
    contract,
    'several',
    [0, 3],
    [
      line('anchor', [], 'a key that is always there', 'A A'),
      line('several', about, 'a load has B and then C of a key, of different days', 'A B@1+C@2'),
      line('there-and-back', about, 'a load has B and then A of a key, of different days', 'A B@1+A@2'),
    ],
  );
}

function line(id: string, about: readonly Field[], words: string, says: string): Line {
  return { id, about, words, says };
}
