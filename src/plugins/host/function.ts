import { basename } from 'node:path';
import { type Table, tableFromIPC, tableToIPC } from 'apache-arrow';
import type { Contract } from '../../contract/contract.ts';
import { formatDate, formatInstant } from '../../contract/instant.ts';
import { rowsFromTable, tableFromRows } from '../../duckdb/rows.ts';
import { ImplementationFailure, type Outcome, type SetClock } from '../implementation.ts';
import { timeOf } from '../set-clock.ts';
import { type FunctionCalls, MAX_MESSAGE_BYTES, type SessionBatch, type SessionSetup } from './calls.ts';
import { type ContractView, contractView } from './contract-view.ts';
import { errorText, loadModule, type StatefulObject, type UserModule } from './module.ts';
import { showTime } from './moved-date.ts';
import { show } from './show.ts';
import { missingColumn, rolesAmong, StateReader } from './state.ts';
import { looksLikeTable, userTableToIpc } from './user-arrow.ts';

/**
 * The host of a JavaScript or TypeScript module: each session evaluates the module anew and keeps its state.
 *
 * @param load gives the module at a path; from its file, unless given
 */
export function functionCalls(
  load: (path: string) => Promise<UserModule> = loadModule,
  path = '',
): FunctionCalls {
  const sessions = new Map<number, FunctionSession>();
  const find = (session: number) => sessions.get(session)!;
  return {
    async open(module) {
      path = module.path;
      const { contract, anyColumns } = await load(path);
      return { contract, anyColumns };
    },
    async start(setup) {
      await atTime(setup.clock, setup.contract, 0n, async () => {
        const session = new FunctionSession(path, await load(path), setup);
        await session.start(setup);
        sessions.set(setup.session, session);
      });
    },
    apply: (batch) => find(batch.session).apply(batch),
    read: ({ session }) => find(session).read(),
    interrupt: async () => ({ points: 0 }),
    async close({ session }) {
      sessions.delete(session);
    },
  };
}

class FunctionSession {
  readonly #path: string;
  /** What messages call it. */
  readonly #name: string;
  readonly #module: UserModule;
  readonly #contract: Contract;
  readonly #view: ContractView;
  readonly #reader: StateReader;
  /** Null where it reads the machine's own. */
  readonly #clock: SetClock | null;
  #asOf = 0n;
  /** Of an implementation whose state we keep: the last it returned. */
  #state: unknown;
  /** Where the state comes from, for messages. */
  #source: string;

  constructor(path: string, module: UserModule, { contract, dimension, clock }: SessionSetup) {
    this.#clock = clock;
    this.#path = path;
    this.#name = basename(path);
    this.#module = module;
    this.#contract = contract;
    this.#view = contractView(contract);
    this.#reader = new StateReader(contract);
    this.#source = `${this.#name}, before any batch`;
    this.#state = dimension === null ? null : this.#forUser(dimension);
  }

  async start({ batchColumns, feedId }: SessionSetup): Promise<void> {
    const { implementation } = this.#module;
    if (typeof implementation === 'function' || implementation.start === undefined) return;
    const columns = batchColumns.map(({ name, type, nullable }) => ({ name, type, nullable }));
    try {
      await implementation.start({ contract: this.#view, columns, dimension: this.#state, feedId });
    } catch (error) {
      throw this.#failure('start', `start of ${this.#name} threw: ${this.#errorText(error)}`);
    }
  }

  async apply({ index, asOf, rows }: SessionBatch): Promise<Outcome> {
    const { implementation } = this.#module;
    this.#asOf = asOf;
    const context = {
      asOf: this.#contract.grain === 'day' ? formatDate(asOf) : formatInstant(asOf),
      contract: this.#view,
    };
    // Decoded anew for each call: whatever user code does to its rows stays with it.
    const delivered = this.#forUser(rows);
    let result: unknown;
    try {
      result = await atTime(this.#clock, this.#contract, asOf, () =>
        typeof implementation === 'function'
          ? implementation(this.#state, delivered, context)
          : implementation.apply(delivered, context),
      );
    } catch (error) {
      return { status: isRejection(error) ? 'rejected' : 'errored', reason: this.#errorText(error) };
    }
    this.#source = `${this.#name}, batch ${index + 1}`;
    if (typeof implementation === 'function') {
      this.#requireState(result, 'apply returned');
      this.#state = result;
    }
    return { status: 'applied' };
  }

  async read(): Promise<Uint8Array> {
    const { implementation } = this.#module;
    const state =
      typeof implementation === 'function' ? (this.#state ?? []) : await this.#ask(implementation);
    const bytes = await this.#toIpc(state);
    if (bytes.length < MAX_MESSAGE_BYTES - 1024) return bytes;
    throw this.#failure(
      'output',
      `${this.#source}: the dimension has ${bytes.length} bytes, more than the gigabyte that is read.`,
    );
  }

  async #ask(implementation: StatefulObject): Promise<unknown> {
    try {
      const state = await atTime(this.#clock, this.#contract, this.#asOf, () => implementation.read());
      this.#requireState(state, 'read returned');
      return state;
    } catch (error) {
      if (error instanceof ImplementationFailure) throw error;
      throw this.#failure('unreadable', `${this.#source}: read threw: ${this.#errorText(error)}`);
    }
  }

  #requireState(state: unknown, what: string): void {
    if (Array.isArray(state) || state instanceof Uint8Array || looksLikeTable(state)) return;
    throw this.#failure(
      'output',
      `${this.#source}: ${what} ${show(state)}, but the state is an array of row objects or an Arrow table ` +
        '(an empty array where there is no row).',
    );
  }

  async #toIpc(state: unknown): Promise<Uint8Array> {
    if (Array.isArray(state)) {
      const { columns, rows } = this.#reader.read(state, this.#source);
      return tableToIPC(tableFromRows(columns, rows), 'stream');
    }
    const bytes = state instanceof Uint8Array ? state : await userTableToIpc(state, this.#path);
    this.#requireColumns(this.#decode(bytes));
    return bytes;
  }

  #decode(bytes: Uint8Array): Table {
    try {
      return tableFromIPC(bytes);
    } catch (error) {
      throw this.#failure(
        'output',
        `${this.#source}: the bytes of the state are no Arrow IPC stream (${(error as Error).message}).`,
      );
    }
  }

  #requireColumns(table: Table): void {
    const names = table.schema.fields.map((field) => field.name);
    const columns = rolesAmong(this.#contract, names);
    const missing = missingColumn({ ...this.#contract, columns }, (name) => names.includes(name));
    if (missing === undefined) return;
    throw this.#failure(
      'output',
      `${this.#source}: the state, an Arrow table, has no column "${missing.name}" (it has ${names.join(', ') || 'none'}). ` +
        'If the column has another name, declare it in the contract.',
    );
  }

  #forUser(ipc: Uint8Array): unknown {
    const table = tableFromIPC(ipc);
    return this.#module.rows === 'arrow' ? table : rowsFromTable(table);
  }

  #errorText(error: unknown): string {
    return errorText(error, this.#path);
  }

  #failure(kind: ImplementationFailure['kind'], message: string): ImplementationFailure {
    return new ImplementationFailure(kind, message);
  }
}

/** Calls user code by the clock that its session has. */
async function atTime<T>(
  clock: SetClock | null,
  contract: Contract,
  asOf: bigint,
  call: () => T,
): Promise<Awaited<T>> {
  if (clock === null) return await call();
  let readings = 0;
  showTime(() => Number(timeOf(clock, asOf, contract, readings++) / 1000n));
  try {
    return await call();
  } finally {
    showTime(null);
  }
}

/** The two ways to refuse a batch: an error named Rejected, or one with `rejected: true`. */
function isRejection(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { name, rejected } = error as Record<string, unknown>;
  return name === 'Rejected' || rejected === true || error.constructor?.name === 'Rejected';
}
