import type { NodeRecord } from './nodes.ts';

/** What another node knows of the history of the database. */
export interface PeerLineage {
  /** The id of the instance that responded. */
  readonly instance: string;
  /** In the form of `lineageText` (`cluster/lineage.ts`). */
  readonly lineage: string;
}

/**
 * Asks nodes at their registered addresses what they know. It leaves out those that do not respond in time, and
 * does not reject.
 */
export type AskLineages = (
  nodes: readonly NodeRecord[],
  withinMs: number,
) => Promise<readonly PeerLineage[]>;
