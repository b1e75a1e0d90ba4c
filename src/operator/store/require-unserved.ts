import type { StorePlace } from '../../store/contract/place.ts';
import { OperatorFault } from '../../lib/reports/operator-fault.ts';

/**
 * Requires that no service runs on a place.
 *
 * @throws {OperatorFault} when one does.
 */
export async function requireUnserved(place: StorePlace): Promise<void> {
  const [node] = await place.nodes.live();
  const holder = await place.holder();
  if (node === undefined && holder === undefined) return;
  const host = node?.host ?? holder?.name;
  const where = host === undefined ? '' : `, on ${host}`;
  throw new OperatorFault(`A service runs on ${place.name}${where}. Stop it first.`);
}
