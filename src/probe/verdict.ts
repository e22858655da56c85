import type { Contract, Field } from '../contract/contract.ts';
import { FIELDS_OF_VERSIONS, hasVersions } from '../contract/types.ts';
import type { Answers } from './answers.ts';
import { excludes, isLoose, type Literals, type Option, optionIn, optionsOf } from './options.ts';
import type { Question } from './sheet.ts';

/** What was found out of one field. */
export type Verdict =
  /**
   * It does what the option says. `alike`: options that nothing which was asked tells from it. `never` is what it does where an answer
   * follows no other option: right only if the source guarantees that what was asked does not happen.
   */
  | {
      readonly status: 'follows';
      readonly option: string;
      readonly alike: readonly string[];
      readonly shownBy: readonly Question[];
    }
  /** Two answers follow different options, and none follows them all. */
  | {
      readonly status: 'contradicts';
      readonly shownBy: readonly Question[];
      readonly options: readonly string[];
    }
  /** An answer that no option allows: a defect. */
  | { readonly status: 'none'; readonly shownBy: readonly Question[] }
  /** Nothing that can be asked would show a difference. */
  | { readonly status: 'not-observable'; readonly reason: string };

/** A question that says nothing of the empty key where NULL keys follow no option. */
const NULL_KEYED = 'empty-key';

/** What the answers say of a field, the other fields being as in the contract that was settled. */
export function verdictOf(answers: Answers, contract: Contract, field: Field, literals: Literals): Verdict {
  const asked = answers.questions.filter(
    ({ about, id }) => about.includes(field) && (id !== NULL_KEYED || field === 'nullKey' || takesNull()),
  );
  function takesNull(): boolean {
    const verdict = verdictOf(answers, contract, 'nullKey', literals);
    return verdict.status === 'follows' && verdict.option !== 'never';
  }
  const options = optionsOf(field, contract, literals);
  if (isNowhere(field, contract)) return notObservable(field, contract);
  if (asked.length === 0) return notObservable(field, contract);
  const telling = asked.filter((question) => isTelling(answers, contract, options, field, question));
  const open = options.filter(({ name }) => name !== 'never');
  const agrees = (option: Option, question: Question) => answers.agrees(option.apply(contract), question);
  const allowed = (option: Option) => asked.filter((question) => !excludes(field, option.name, question.id));
  const fitting = open.filter((option) => allowed(option).every((question) => agrees(option, question)));
  if (fitting.length > 0 && telling.length === 0) return notObservable(field, contract);
  const own = optionIn(contract, field);
  const [best] = [...fitting].sort(
    (a, b) =>
      allowed(b).length - allowed(a).length ||
      Number(isLoose(a.name)) - Number(isLoose(b.name)) ||
      Number(b.name === own) - Number(a.name === own),
  );
  if (best !== undefined) {
    const alike = fitting.filter(
      (option) =>
        option !== best &&
        !isLoose(option.name) &&
        allowed(option).length === allowed(best).length &&
        telling.every((question) => !differs(answers, contract, option, best, question)),
    );
    const wrong = (question: Question) => open.filter((option) => !agrees(option, question)).length;
    const [shownBy] = allowed(best)
      .filter((question) => telling.includes(question))
      .sort((a, b) => wrong(b) - wrong(a));
    return {
      status: 'follows',
      option: best.name,
      alike: alike.map(({ name }) => name),
      shownBy: shownBy === undefined ? [] : [shownBy],
    };
  }
  const followed = asked.map((question) => ({
    question,
    options: open.filter((option) => !excludes(field, option.name, question.id) && agrees(option, question)),
  }));
  const nowhere = followed.filter((one) => one.options.length === 0);
  if (nowhere.length > 0) {
    const shownBy = [nowhere[0]!.question];
    const canExclude = options.some(({ name }) => name === 'never');
    return canExclude
      ? { status: 'follows', option: 'never', alike: [], shownBy }
      : { status: 'none', shownBy };
  }
  const [first, second] = disjoint(followed);
  return {
    status: 'contradicts',
    shownBy: [first.question, second.question],
    options: [first.options[0]!.name, second.options[0]!.name],
  };
}

type Followed = { readonly question: Question; readonly options: readonly Option[] };

/** Two questions whose options have none in common; else those with the fewest in common. */
function disjoint(followed: readonly Followed[]): readonly [Followed, Followed] {
  const pairs = followed.flatMap((first, at) =>
    followed.slice(at + 1).map((second) => [first, second] as const),
  );
  const common = ([first, second]: readonly [Followed, Followed]) =>
    first.options.filter((option) => second.options.includes(option)).length;
  const [best] = [...pairs].sort((a, b) => common(a) - common(b));
  return best ?? [followed[0]!, followed[0]!];
}

function isTelling(
  answers: Answers,
  contract: Contract,
  options: readonly Option[],
  field: Field,
  question: Question,
): boolean {
  const able = options.filter(({ name }) => !excludes(field, name, question.id));
  return able.slice(1).some((option) => differs(answers, contract, able[0]!, option, question));
}

function differs(answers: Answers, contract: Contract, a: Option, b: Option, question: Question): boolean {
  return answers.differ(a.apply(contract), b.apply(contract), question);
}

/** Fields of rows that the dimension has not, however wrong the others are. */
function isNowhere(field: Field, { type, historyHolds }: Contract): boolean {
  if (field === 'historyHolds') return type !== '4';
  return field === 'openMarker' && historyHolds === 'past';
}

function notObservable(field: Field, contract: Contract): Verdict {
  return { status: 'not-observable', reason: reasonFor(field, contract) };
}

/** Why nothing that could be asked shows the field. */
function reasonFor(
  field: Field,
  { type, historyHolds, feed, deletes, late, columns, firstStart, clock }: Contract,
): string {
  if (
    clock === 'wall' &&
    (field === 'late' || field === 'lateScope' || field === 'lateEvidence' || field === 'sameInstant')
  )
    return 'a clock that nobody sets gives no load an earlier time, nor two the same';
  if (field === 'historyHolds') return 'there is no history table';
  if (field === 'openMarker' && historyHolds === 'past') return 'the history holds only what has ended';
  if (!hasVersions({ type }) && FIELDS_OF_VERSIONS.has(field))
    return 'a table that is overwritten has no versions to show it';
  const needsOwn = 'the batches have no `changedAt` column';
  switch (field) {
    case 'feed':
      return 'a key that is missing is left alone, as a delta or as a snapshot that ignores deletes';
    case 'stamp':
    case 'changeBy':
      return columns.changedAt === null ? needsOwn : 'with changes, each row has its own instant';
    case 'reappearance':
      return deletes === 'ignore' || deletes === 'never'
        ? 'no key is ever closed'
        : 'nothing that can be sent closes a key and brings it back';
    case 'deletes':
      return 'nothing that can be sent deletes a key: declare the column `operation`, if there is one';
    case 'firstStartScope':
      return firstStart === 'observed'
        ? 'first versions begin where they were seen'
        : 'no later key was seen';
    case 'lateScope':
      return late === 'apply' ? 'late loads are applied, whatever they are late for' : 'nothing shows it';
    case 'lateEvidence':
      return late === 'apply' ? 'nothing shows it' : 'late loads are not applied';
    case 'batchStates':
      return feed === 'changes' ? 'nothing shows it' : 'only a log of changes has several states in a load';
    case 'emptySnapshot':
      return feed === 'snapshot' && deletes === 'ignore'
        ? 'a key that is missing is left alone, in an empty load too'
        : `a ${feed} has no snapshots`;
    case 'nullKey':
      return 'a key cannot be NULL';
    case 'compare':
      return 'no tracked column is a text that could be spelled otherwise';
    case 'keyCompare':
      return 'no key column is a text that could be spelled otherwise';
    case 'untracked':
      return 'there is no untracked column';
    default:
      return 'nothing that can be sent shows it';
  }
}
