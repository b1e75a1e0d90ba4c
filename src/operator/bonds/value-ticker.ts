import { valuedIn, type Bond } from '../../domain/bonds/bond.ts';
import { settlementOf } from '../../domain/calendar/business-days.ts';
import { conventions, type ConventionName } from '../../domain/bonds/conventions.ts';
import type { UsedIndex } from '../../domain/bonds/index-growth.ts';
import { valueBond, type BondValuation } from '../../domain/bonds/value-bond.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { bondTable } from '../../contract/paths/bonos.ts';
import { findBond } from './find-bond.ts';
import { storedIndices } from './stored-indices.ts';

/** A row of a table of the public contract, as JSON has it. */
export type PublicRow = Readonly<Record<string, string | number | null>>;

/** What the figures of a ticker are computed from. */
export interface TickerValuation {
  readonly ticker: string;
  /** In the form of the convention and in the currency of the flows, whatever the class of the ticker. */
  readonly price: number;
  /** By default, that of a trade of today by the convention. */
  readonly settlement?: PlainDate | undefined;
  readonly convention: ConventionName;
  /** Multiplies the flows in place of an index. */
  readonly coefficient?: number | undefined;
  readonly universeDirectory: string;
  readonly storeAt: string;
  readonly now: number;
}

/** The public fields of a bond at a price, and what the operator can do about a figure that is missing. */
export interface ValuedTicker {
  readonly row: PublicRow;
  readonly advice: string | undefined;
}

/**
 * Computes the figures of a bond at a price (docs/bonds.md).
 *
 * @throws UsageFault for a ticker without terms.
 * @throws OperatorFault when the universe has faults.
 * @throws StoreFault when the store with the index cannot be read.
 */
export async function valueTicker(request: TickerValuation): Promise<ValuedTicker> {
  const { instrument, bond, today } = await findBond(request.ticker, request);
  const convention = conventions[request.convention];
  const { coefficient, price } = request;
  const figures = valueBond(bond, {
    settlement: request.settlement ?? settlementOf(bond.days, today, convention.settles),
    convention,
    price: { amount: price, currency: valuedIn(bond.terms), form: 'convention' },
    index: coefficient === undefined ? await storedIndices(bond, request.storeAt) : { coefficient },
  });
  const valued = { instrument, date: today, figures };
  const [row] = JSON.parse(bondTable.render([valued], 'json')) as readonly PublicRow[];
  const advice = [adviceOnDay(bond, request.settlement), adviceOn(figures)].filter(
    (one) => one !== undefined,
  );
  return { row: row ?? {}, advice: advice.length === 0 ? undefined : advice.join('\n') };
}

/** What to do about a value of an index that the store lacks. */
export function adviceOnIndex({ index, day }: Pick<UsedIndex, 'index' | 'day'>): string {
  return `The store has no ${index} of ${day}. Fetch it ("pizarra indices fetch"), or import it.`;
}

function adviceOnDay({ days }: Bond, settlement: PlainDate | undefined): string | undefined {
  if (settlement === undefined || days.isSettlement(settlement)) return undefined;
  return `Nothing settles on ${settlement}. Set --fecha to the next settlement day, ${days.nextSettlement(settlement)}.`;
}

function adviceOn({ state, index, currency, parity }: BondValuation): string | undefined {
  switch (state) {
    case 'no-index':
      return index === null ? undefined : `${adviceOnIndex(index)} Or give --coeficiente.`;
    case 'doubtful-price':
      return `A price of ${Number(parity?.toPrecision(3))} % of the technical value cannot be one of 100 nominal in ${currency}, the currency of the flows.`;
    case 'no-yield':
      return 'No yield from -99 % to 10,000 % gives this price, or a future coupon is not known.';
    case 'not-issued':
      return 'The bond is issued after that settlement date.';
    case 'matured':
      return 'The bond has matured on that settlement date.';
    case 'ok':
    case 'no-exchange-rate':
      return undefined;
  }
}
