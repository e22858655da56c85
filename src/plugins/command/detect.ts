import { batchColumns } from '../../contract/columns.ts';
import { declareContract } from '../../contract/declare.ts';
import { type CallLimits, ImplementationFailure } from '../implementation.ts';
import { type Greeting, greet } from './hello.ts';
import { plainInput, stateOf } from './plain.ts';
import type { Program } from './program.ts';
import { ProtocolClient } from './protocol-client.ts';
import { quote, quoteErrorStream } from './quote.ts';
import { runOnce } from './run-once.ts';
import { setupToWire } from './wire.ts';

export type Detected =
  | { readonly form: 'protocol'; readonly client: ProtocolClient; readonly greeting: Greeting }
  | { readonly form: 'plain' };

/**
 * Finds out which form a command has, by trying both; nobody has to configure it.
 *
 * One process is sent `hello`, and its input stays open. A program of the plain form waits for the end of its input and
 * says nothing, so a second process gets an empty batch in the plain form. The first valid answer decides; where both
 * answer, the protocol wins, because a plain program cannot know the id that it has to give back.
 *
 * The second process starts once the first has failed or been silent for a moment. So most programs that speak the
 * protocol never run twice at a time, which matters to one that locks a database file as it comes up.
 *
 * @throws ImplementationFailure `start`, with both stories, where neither answers.
 */
export async function detect(program: Program, where: string, limits: CallLimits): Promise<Detected> {
  const client = new ProtocolClient(program);
  const hello = greet(client, where, limits).then(
    (greeting): Detected => ({ form: 'protocol', client, greeting }),
  );
  const helloOver = hello.then(nothing, nothing);
  const early = await Promise.race([hello.catch(nothing), delay(HEAD_START_MS)]);
  if (early !== undefined) return early;

  const givenUp = new AbortController();
  const plain = tryPlain(program, limits, givenUp.signal);
  const plainInTurn = plain
    .then(() => Promise.race([helloOver, delay(GRACE_MS)]))
    .then((): Detected => ({ form: 'plain' }));
  try {
    const found = await Promise.any([hello, plainInTurn]);
    if (found.form === 'plain') await client.kill();
    return found;
  } catch (error) {
    throw bothFailed(where, (error as AggregateError).errors);
  } finally {
    givenUp.abort();
    await plain.catch(nothing);
  }
}

/** For the protocol before the plain form is tried at all: interpreters that are quick to start answer within it. */
const HEAD_START_MS = 300;
/** For the protocol after a valid answer in the plain form. */
const GRACE_MS = 200;
const LONGEST_PROBE = 64 * 1024 * 1024;

async function tryPlain(program: Program, limits: CallLimits, givenUp: AbortSignal): Promise<void> {
  const { contract } = declareContract([]);
  const told = setupToWire({
    contract,
    batchColumns: batchColumns(contract.columns, contract.firstStart),
    dimension: null,
    feedId: 'probe',
  });
  const input = plainInput({ asOf: '2000-01-01T00:00:00.000000Z', rows: [], state: null, told, batch: 0 });
  const run = await runOnce(program, input, { limitMs: limits.startMs, longest: LONGEST_PROBE }, givenUp);
  stateOf(run, `It was given an empty batch (${quote(input, 80)})`);
}

function bothFailed(where: string, failures: readonly unknown[]): unknown {
  const strange = failures.find((failure) => !(failure instanceof ImplementationFailure));
  if (strange !== undefined) return strange;
  const [protocol, plain] = failures as [ImplementationFailure, ImplementationFailure];
  const stderr = plain.stderr.trim() === '' ? protocol.stderr : plain.stderr;
  return new ImplementationFailure(
    'start',
    `\`${where}\` answered in neither of the two forms that a command can have, so there is nothing to test yet.\n` +
      `  As a process that stays up (line protocol 1): ${uncapitalised(protocol.message)}\n` +
      `  As a process started for each batch: ${uncapitalised(plain.message)}\n` +
      `Make one of the two answer: the second is the shorter way; its first batch may be empty.${quoteErrorStream(stderr)}`,
    stderr,
  );
}

function uncapitalised(sentence: string): string {
  return /^[A-Z][a-z]/.test(sentence) ? sentence[0]!.toLowerCase() + sentence.slice(1) : sentence;
}

function nothing(): void {}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
