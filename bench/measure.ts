import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { packageRoot } from '../src/cli/version.ts';
import type { Contract } from '../src/contract/contract.ts';
import { declareContract } from '../src/contract/declare.ts';
import type { Feed } from '../src/feed/feed.ts';
import { randomFeed } from '../src/feed/random.ts';
import { openImplementation } from '../src/plugins/open.ts';
import { runAhead } from '../src/runner/ahead.ts';
import { type PartResult, runPart } from '../src/runner/packed-part.ts';
import type { Timings } from '../src/runner/report.ts';
import { keysOf, project } from '../src/search/project.ts';

/** One row of the tables: what was run, and what it took. */
export interface Measured {
  readonly name: string;
  readonly histories: number;
  readonly result: PartResult;
  /** The same feeds sent to the same implementation and read back, with nothing judged. */
  readonly aloneMs: number;
  /** Most memory that this process has held so far, in MiB. */
  readonly memoryMiB: number;
}

/** As `measure`, but each feed is a part of its own: sent, and judged before the next. */
export async function measureEach(
  name: string,
  path: string,
  feeds: (contract: Contract) => Iterable<Feed>,
): Promise<{ readonly name: string; readonly histories: number; readonly totalMs: number }> {
  const implementation = await openImplementation(path);
  try {
    const { contract } = declareContract([implementation.declared]);
    let histories = 0;
    const started = performance.now();
    for (const feed of feeds(contract)) {
      const options = {
        implementation,
        contract,
        checks: null,
        stop: () => false,
        progress: () => undefined,
      };
      histories += (await runPart([feed], options)).histories;
    }
    return { name, histories, totalMs: performance.now() - started };
  } finally {
    await implementation.close();
  }
}

/** The timings of a run of the command, in a folder of its own. */
export function wholeRun(path: string, histories: number): Timings {
  const folder = mkdtempSync(join(tmpdir(), 'scd2check-bench-'));
  try {
    const bin = join(packageRoot(), 'bin', 'scd2check.js');
    const args = [resolve(path), '--histories', String(histories), '--seed', '1', '--quiet'];
    execFileSync(process.execPath, [bin, ...args, '--reporter', 'json:report.json'], { cwd: folder });
    return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')).timings;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs feeds against an implementation that is opened for this alone. */
export async function measure(
  name: string,
  path: string,
  feeds: (contract: Contract) => Iterable<Feed>,
): Promise<Measured> {
  const implementation = await openImplementation(path);
  try {
    const { contract } = declareContract([implementation.declared]);
    const result = await runPart(feeds(contract), {
      implementation,
      contract,
    });
    // Generated ahead: what the implementation needs is asked, and not what generating costs.
    const errands = [...feeds(contract)].map((feed) => ({ feed, contract }));
    const started = performance.now();
    for await (const { outcome } of runAhead(implementation, errands))
      if ('failed' in outcome) throw outcome.failed.failure;
    return {
      name,
      histories: result.histories,
      result,
      aloneMs: performance.now() - started,
      memoryMiB: Math.round(process.resourceUsage().maxRSS / 1024),
    };
  } finally {
    await implementation.close();
  }
}

/** The first histories of a packed feed, each in a feed of its own. */
export function* oneAtATime(contract: Contract, histories: number): Generator<Feed> {
  const feed = randomFeed(contract, { seed: 1, index: 3, keys: histories });
  for (const key of keysOf(feed, contract).slice(0, histories)) yield project(feed, contract, new Set([key]));
}
