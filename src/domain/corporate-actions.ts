import type { CorporateAction } from './corporate-action.ts';
import { isUnitAction } from './corporate-action.ts';
import type { EpochDay } from './plain-date.ts';
import type { Ticker } from './ticker.ts';

const none: readonly CorporateAction[] = [];

/** All corporate actions of an installation at one moment. Immutable. */
export class CorporateActions {
  readonly #byTicker: ReadonlyMap<Ticker, readonly CorporateAction[]>;

  /** @param actions in any order */
  constructor(actions: Iterable<CorporateAction>) {
    const byTicker = Map.groupBy(actions, ({ ticker }) => ticker);
    for (const list of byTicker.values()) list.sort((a, b) => a.exDay - b.exDay);
    this.#byTicker = byTicker;
  }

  /** The actions of one instrument, ascending by ex date. */
  of(ticker: Ticker): readonly CorporateAction[] {
    return this.#byTicker.get(ticker) ?? none;
  }

  /** The instruments that have an action, in no particular order. */
  get tickers(): Iterable<Ticker> {
    return this.#byTicker.keys();
  }

  /** The instruments whose actions differ from those of an earlier moment. */
  changedSince(before: CorporateActions): readonly Ticker[] {
    const tickers = new Set([...before.tickers, ...this.tickers]);
    return [...tickers].filter((ticker) => !areSame(before.of(ticker), this.of(ticker)));
  }
}

/** An installation without corporate actions. */
export const noActions = new CorporateActions([]);

/** Whether two actions are equal in every field. */
export function isSameAction(a: CorporateAction, b: CorporateAction): boolean {
  const [valuesOfA, valuesOfB] = [valuesOf(a), valuesOf(b)];
  return valuesOfA.every((value, index) => value === valuesOfB[index]);
}

function valuesOf(action: CorporateAction): readonly (string | number)[] {
  const { ticker, exDay, type, source } = action;
  const common = [ticker, exDay, type, source];
  switch (type) {
    case 'split':
    case 'stock-dividend':
    case 'ratio-change':
      return [...common, action.factor];
    case 'cash-dividend':
      return [...common, action.amount, action.currency];
    case 'ticker-change':
      return [...common, action.newTicker];
  }
}

function areSame(a: readonly CorporateAction[], b: readonly CorporateAction[]): boolean {
  if (a.length !== b.length) return false;
  return a.every((one, index) => {
    const other = b[index];
    return other !== undefined && isSameAction(one, other);
  });
}

/**
 * The number of units after `to` that one unit of the day `from` has become: the product of the
 * factors of all actions whose ex date is after `from` and not after `to`. A price of the day `from`
 * is divided by it, and a volume multiplied, to compare with those of the day `to`.
 *
 * @param actions of one instrument, ascending by ex date
 */
export function unitFactor(
  actions: readonly CorporateAction[],
  { from, to }: { readonly from: EpochDay; readonly to: EpochDay },
): number {
  let factor = 1;
  for (const action of actions) {
    if (action.exDay > from && action.exDay <= to && isUnitAction(action)) factor *= action.factor;
  }
  return factor;
}

/**
 * A price of the day `from` in units of the day `to`, to compare it with prices of that day (contract
 * 2.1.4).
 *
 * @param actions of one instrument, ascending by ex date
 */
export function priceInUnitsOf(
  price: number,
  actions: readonly CorporateAction[],
  days: { readonly from: EpochDay; readonly to: EpochDay },
): number {
  const factor = unitFactor(actions, days);
  // The digits after the 14th are the error of the division, and could move a change over a tie.
  return factor === 1 ? price : Number((price / factor).toPrecision(14));
}
