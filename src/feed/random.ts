import type { Contract } from '../contract/contract.ts';
import { type Dice, rollDice } from './dice.ts';
import type { Feed } from './feed.ts';
import { historyDrawer } from './histories.ts';
import { keyMaker, partitions } from './keys.ts';
import { drawFirstStart, type Member, pack } from './pack.ts';
import { type Cells, drawStates } from './palette.ts';
import { drawSchedule, type Schedule } from './schedule.ts';

export { batchFeeds } from './batch-feeds.ts';

export interface RandomOptions {
  readonly seed: number;
  /** Which feed of the seed. */
  readonly index: number;
  /** How many histories it packs. Fewer where the key columns can hold no more keys. */
  readonly keys: number;
}

/**
 * A random packed feed that is legal under the contract, and in which no batch is refused: a schedule of one to ten batches, and for each key
 * a history over a small palette of hard values. The same options give the same feed on every machine.
 */
export function randomFeed(contract: Contract, { seed, index, keys }: RandomOptions): Feed {
  const dice = rollDice(seed, index);
  const schedule = drawSchedule(contract, dice);
  const members: Member[] = [];
  for (const member of drawMembers(contract, schedule, dice)) {
    if (members.push(member) >= keys) break;
  }
  return pack(contract, `random/${seed}/${index}`, schedule, members, dice);
}

/** Drawing a palette takes longer than drawing a history, so histories share some. */
const PALETTES = 32;

/** Histories for a schedule, each under its own key, as long as the key columns can hold another one. */
export function* drawMembers(contract: Contract, schedule: Schedule, dice: Dice): Generator<Member, void> {
  const maker = keyMaker(contract, { dice, ballast: true });
  const { tracked, untracked } = contract.columns;
  const palettes: (readonly Cells[])[] = [];
  const extraPalettes: (readonly Cells[])[] = [];
  const names = partitions(contract);
  const turn = dice.below(1000);
  const drawHistory = historyDrawer(contract, schedule);
  for (let key = maker.next(); key !== null; key = maker.next()) {
    if (palettes.length < PALETTES) {
      palettes.push(drawStates(contract, tracked, dice, turn + palettes.length));
      extraPalettes.push(drawStates(contract, untracked, dice));
    }
    const states = dice.pick(palettes);
    const extras = dice.pick(extraPalettes);
    const sizes = { states: states.length, untracked: extras.length };
    const partition = Math.max(0, names.indexOf(key.partition));
    const { spellings } = key;
    yield {
      key,
      states,
      untracked: extras,
      history: drawHistory(partition, sizes, dice),
      firstStart: drawFirstStart(contract, schedule, dice),
      spellings: schedule.slots.map(() => (dice.chance(60) ? 0 : dice.below(spellings.length))),
    };
  }
}
