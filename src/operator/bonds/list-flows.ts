import { settlementOf } from '../../domain/calendar/business-days.ts';
import { growthOf } from '../../domain/bonds/index-growth.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { flowTable } from '../../contract/paths/bonos-flujos.ts';
import { findBond } from './find-bond.ts';
import { storedIndices } from './stored-indices.ts';
import { adviceOnIndex, type PublicRow } from './value-ticker.ts';

/** Payments as the public contract has them, and what the operator can do about what is missing. */
interface ListedFlows {
  readonly rows: readonly PublicRow[];
  readonly advice: string | undefined;
}

/**
 * The payments of a bond on a day or later, by contract. The index is that of a trade of today.
 *
 * @param from by default, today.
 * @throws UsageFault for a ticker without terms.
 * @throws OperatorFault when the universe has faults.
 * @throws StoreFault when the store with the index cannot be read.
 */
export async function listFlows(request: {
  readonly ticker: string;
  readonly from?: PlainDate | undefined;
  readonly universeDirectory: string;
  readonly storeAt: string;
  readonly now: number;
}): Promise<ListedFlows> {
  const { bond, today } = await findBond(request.ticker, request);
  const settlement = settlementOf(bond.days, today, 'next-day');
  const values = await storedIndices(bond, request.storeAt);
  const { ratio, used } = growthOf(bond, settlement, values);
  const from = request.from ?? today;
  const rows = bond.flows.filter(({ date }) => date >= from).map((flow) => ({ flow, ratio }));
  return {
    rows: JSON.parse(flowTable.render(rows, 'json')) as readonly PublicRow[],
    advice: used?.value === null ? adviceOnIndex(used) : undefined,
  };
}
