import { Bonds } from '../../domain/bonds/bonds.ts';
import { valuedIn, type Bond } from '../../domain/bonds/bond.ts';
import { conventions, type ConventionName } from '../../domain/bonds/conventions.ts';
import {
  growthOf,
  valuesOf,
  type IndexValues,
  type UsedIndex,
} from '../../domain/bonds/index-growth.ts';
import { valueBond, type BondValuation } from '../../domain/bonds/value-bond.ts';
import { settlementOf } from '../../domain/calendar/business-days.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { IndexSeries } from '../../domain/indices/index-series.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import { canMature } from '../../domain/instruments/maturity.ts';
import { bondTable } from '../../contract/paths/bonos.ts';
import { flowTable } from '../../contract/paths/bonos-flujos.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import { openPlace } from '../../node/place/open-place.ts';
import { requireUniverse } from '../../node/market/require-universe.ts';
import { openExisting } from '../store/open-existing.ts';
import { requireInstrument } from '../universe/require-instrument.ts';

/** A row of a table of the public contract, as JSON has it. */
type PublicRow = Readonly<Record<string, string | number | null>>;

/** A ticker that an operator names, the installation that has it, and the time. */
interface AskedTicker {
  readonly ticker: string;
  readonly universeDirectory: string;
  readonly storeAt: string;
  readonly now: number;
}

/**
 * Computes the public fields of a bond at a price (docs/bonds.md), and what the operator can do about a figure that
 * is missing.
 *
 * @param request.price in the form of the convention and in the currency of the flows, whatever the class
 * @param request.settlement by default, that of a trade of today by the convention
 * @param request.coefficient multiplies the flows in place of an index
 * @throws UsageFault for a ticker without terms.
 * @throws OperatorFault when the universe has faults.
 * @throws StoreFault when the store with the index cannot be read.
 */
export async function valueTicker(
  request: AskedTicker & {
    readonly price: number;
    readonly settlement?: PlainDate | undefined;
    readonly convention: ConventionName;
    readonly coefficient?: number | undefined;
  },
): Promise<{ readonly row: PublicRow; readonly advice: readonly string[] }> {
  const { instrument, bond, today } = await findBond(request);
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
  const advice = [adviceOnDay(bond, request.settlement), adviceOn(figures)];
  return { row: row ?? {}, advice: advice.filter((one) => one !== undefined) };
}

/**
 * The payments of a bond on a day or later, as the public contract has them, and what the operator can do about what
 * is missing. The index is that of a trade of today.
 *
 * @param from by default, today.
 * @throws UsageFault for a ticker without terms.
 * @throws OperatorFault when the universe has faults.
 * @throws StoreFault when the store with the index cannot be read.
 */
export async function listFlows(
  request: AskedTicker & { readonly from?: PlainDate | undefined },
): Promise<{ readonly rows: readonly PublicRow[]; readonly advice: readonly string[] }> {
  const { bond, today } = await findBond(request);
  const settlement = settlementOf(bond.days, today, 'next-day');
  const values = await storedIndices(bond, request.storeAt);
  const { ratio, used } = growthOf(bond, settlement, values);
  const from = request.from ?? today;
  const rows = bond.flows.filter(({ date }) => date >= from).map((flow) => ({ flow, ratio }));
  return {
    rows: JSON.parse(flowTable.render(rows, 'json')) as readonly PublicRow[],
    advice: used?.value === null ? [adviceOnIndex(used)] : [],
  };
}

/**
 * Finds the bond of which a ticker is a class, and the day in the time zone of its market.
 *
 * @throws UsageFault for an unknown ticker, and for one without terms.
 * @throws OperatorFault when the universe has faults.
 */
async function findBond({ ticker, universeDirectory, now }: AskedTicker) {
  const universe = await requireUniverse(universeDirectory);
  const instrument = requireInstrument(
    universe,
    ticker,
    ` A bond needs a row in ${universeDirectory}/instruments.csv and one in bonds.csv (docs/bonds.md).`,
  );
  const bond = new Bonds(universe).of(instrument);
  if (bond === undefined) {
    const advice = canMature(instrument.kind)
      ? `Add a row to ${universeDirectory}/bonds.csv (docs/bonds.md).`
      : 'Only bonds, corporate bonds and bills have terms.';
    throw new UsageFault(`There are no terms of ${instrument.ticker}. ${advice}`);
  }
  const today = new MarketCalendars(universe).of(instrument).dateAt(now);
  return { instrument, bond, today };
}

/**
 * The stored values of the indices that a bond needs. None if it needs none or if no store exists yet. The store
 * is only opened for a bond that needs it.
 *
 * @throws StoreFault when the store cannot be read.
 */
async function storedIndices({ terms }: Bond, storeAt: string): Promise<IndexValues> {
  if (terms.indexation === undefined) return () => undefined;
  await using place = openPlace(storeAt);
  await using store = await openExisting(place);
  if (store === undefined) return () => undefined;
  const { revision, values } = await store.indices.readAll();
  return valuesOf(new IndexSeries(revision, values));
}

/** What to do about a value of an index that the store lacks. */
function adviceOnIndex({ index, day }: Pick<UsedIndex, 'index' | 'day'>): string {
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
