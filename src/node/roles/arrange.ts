import type { WriterNode } from '../../store/contract/place.ts';
import type { NodeRole } from '../../store/contract/nodes.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import { flagName } from '../../config/settings/settings.ts';
import type { Arrangement, ServedParts } from './arrangement.ts';
import { arrangeCluster } from './cluster.ts';
import { arrangeSolo } from './solo-node.ts';

/**
 * Arranges the roles of this process for the kind of its place. Several nodes can share a PostgreSQL
 * database, and only one process a SQLite file.
 *
 * @throws UsageFault when the place does not support the role; StoreFault.
 */
export async function arrange(deps: {
  readonly node: WriterNode;
  readonly role: NodeRole;
  readonly parts: ServedParts;
  /** Ends a wait for the database. */
  readonly stopping?: AbortSignal | undefined;
}): Promise<Arrangement> {
  const { role, parts } = deps;
  if (parts.place.kind === 'postgres') return arrangeCluster(deps);
  if (role === 'all') return arrangeSolo(deps);
  throw new UsageFault(
    `${flagName('role')} ${role} requires a PostgreSQL database as ${flagName('store')}. One process alone writes and serves a data directory.`,
  );
}
