import type { Declared } from '../../contract/declared.ts';
import type { CallLimits } from '../implementation.ts';
import { harness } from './package.ts';
import type { Program } from './program.ts';
import { ProtocolClient } from './protocol-client.ts';
import { quoteJson } from './quote.ts';

/** What a program says of itself in its answer to `hello`. */
export interface Greeting {
  readonly implementation: string | null;
  readonly anyColumns: boolean;
  /** Its state outlives its process: after `start` with `resume` it goes on from there. */
  readonly durable: boolean;
  /** Its whole state is its table: a session may begin with the rows that another has left. */
  readonly beginsFromTable: boolean;
  readonly declared: readonly Declared[];
  /** The time that its calls take at most, where it is slow by nature. */
  readonly timeouts: Partial<CallLimits>;
}

export const PROTOCOL = 1;

/** A client that has not been greeted yet, so that whoever loses patience with it can end it. */
export function greet(client: ProtocolClient, where: string, limits: CallLimits): Promise<Greeting> {
  return client
    .request('hello', { protocol: PROTOCOL, harness: harness() }, limits.startMs)
    .then((answer) => understand(client, answer, where));
}

/** Starts the program and greets it. It is ended where it does not answer. */
export async function connect(
  program: Program,
  where: string,
  limits: CallLimits,
): Promise<{ client: ProtocolClient; greeting: Greeting }> {
  const client = new ProtocolClient(program);
  return { client, greeting: await greet(client, where, limits) };
}

async function understand(
  client: ProtocolClient,
  answer: Readonly<Record<string, unknown>>,
  where: string,
): Promise<Greeting> {
  const { protocol, implementation, contract = null, capabilities = null } = answer;
  const refuse = (what: string) =>
    client.refuse('protocol', `It answered \`hello\` with ${quoteJson(answer)}. ${what}`);
  if (protocol !== PROTOCOL) {
    return refuse(
      `\`protocol\` is ${quoteJson(protocol)}, and this harness speaks ${PROTOCOL}. Answer \`"protocol": ${PROTOCOL}\`, a number.`,
    );
  }
  if (!isObject(contract) && typeof contract !== 'string' && contract !== null) {
    return refuse('`contract` is an object of decisions and columns, or the name of a preset.');
  }
  if (!isObject(capabilities) && capabilities !== null) {
    return refuse('`capabilities` is an object, such as {"anyColumns": true}.');
  }
  client.helloDone(where);
  return {
    implementation: typeof implementation === 'string' && implementation !== '' ? implementation : null,
    anyColumns: capabilities?.['anyColumns'] === true,
    durable: capabilities?.['durable'] === true,
    beginsFromTable: capabilities?.['beginsFromTable'] === true,
    declared: declarations(contract, where),
    timeouts: timeouts(capabilities?.['timeouts']),
  };
}

/** Seconds, `{"start": 300, "call": 120}`; what is no such number says nothing. */
function timeouts(told: unknown): Partial<CallLimits> {
  const { start, call } = isObject(told) ? told : {};
  return {
    ...(isSeconds(start) ? { startMs: start * 1000 } : {}),
    ...(isSeconds(call) ? { callMs: call * 1000 } : {}),
  };
}

function isSeconds(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= MAX_SECONDS;
}

const MAX_SECONDS = 600;

function declarations(contract: unknown, where: string): Declared[] {
  if (contract === null) return [];
  if (typeof contract === 'string') return [{ name: 'contract', value: contract, where }];
  return Object.entries(contract as object).map(([name, value]) => ({ name, value, where }));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
