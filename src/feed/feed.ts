import type { Row } from '../contract/columns.ts';

/**
 * What one load delivers. `asOf` is in microseconds since the epoch, UTC. Rows hold canonical cells by column
 * name. `columns`, where given, is another order (or a subset) in which this batch delivers its columns.
 */
export interface FeedBatch {
  readonly asOf: bigint;
  readonly rows: readonly Row[];
  readonly columns?: readonly string[];
}

/** Batches in arrival order, under a name that is unique within a run. */
export interface Feed {
  readonly id: string;
  readonly batches: readonly FeedBatch[];
}
