import { isFactorAction, type CorporateAction, type TickerChange } from './corporate-action.ts';
import type { EpochDay } from '../calendar/plain-date.ts';
import { withoutBinaryError } from '../values/rounding.ts';
import type { Ticker } from '../instruments/ticker.ts';

const none: readonly CorporateAction[] = [];

/** An earlier ticker of an instrument. */
export interface EarlierTicker {
  readonly ticker: Ticker;
  /** The ex date of the change: the earlier ticker is that of the days before. */
  readonly before: EpochDay;
}

/** All corporate actions of an installation at one moment. Immutable. */
export class CorporateActions {
  readonly #byTicker: ReadonlyMap<Ticker, readonly CorporateAction[]>;
  readonly #changesTo: ReadonlyMap<Ticker, readonly TickerChange[]>;
  /** The actions of the instruments that had another ticker, with those of that ticker. */
  readonly #continued: ReadonlyMap<Ticker, readonly CorporateAction[]>;

  /** @param actions in any order */
  constructor(actions: Iterable<CorporateAction>) {
    const byTicker = Map.groupBy(actions, ({ ticker }) => ticker);
    for (const list of byTicker.values()) list.sort((a, b) => a.exDay - b.exDay);
    this.#byTicker = byTicker;
    const changes = [...byTicker.values()].flat().filter((one) => one.type === 'ticker-change');
    changes.sort((a, b) => a.exDay - b.exDay);
    this.#changesTo = Map.groupBy(changes, ({ newTicker }) => newTicker);
    this.#continued = new Map(
      [...this.#changesTo.keys()].map((ticker) => [ticker, this.#withEarlier(ticker)]),
    );
  }

  /**
   * The actions of one instrument, ascending by ex date. Those of its earlier tickers up to the change
   * are included, except where the instrument has an action of the same type and day itself. The same
   * list is returned at every call.
   */
  of(ticker: Ticker): readonly CorporateAction[] {
    return this.#continued.get(ticker) ?? this.#byTicker.get(ticker) ?? none;
  }

  /** The earlier tickers of an instrument, latest first. */
  earlierTickers(ticker: Ticker): readonly EarlierTicker[] {
    const earlier: EarlierTicker[] = [];
    let current: EarlierTicker = { ticker, before: Number.POSITIVE_INFINITY as EpochDay };
    for (;;) {
      const { ticker: name, before } = current;
      // Ex dates decrease, so a ticker that returns to an earlier name ends too.
      const change = this.#changesTo.get(name)?.findLast(({ exDay }) => exDay < before);
      if (change === undefined) return earlier;
      current = { ticker: change.ticker, before: change.exDay };
      earlier.push(current);
    }
  }

  /** These actions and others. */
  with(added: readonly CorporateAction[]): CorporateActions {
    return new CorporateActions([...[...this.#byTicker.values()].flat(), ...added]);
  }

  /** The ex date of the last change away from a ticker. Its actions and closes are those of the days before. */
  endOf(ticker: Ticker): EpochDay | undefined {
    return this.#byTicker.get(ticker)?.findLast(({ type }) => type === 'ticker-change')?.exDay;
  }

  /** The instruments that continue a ticker: all names that it has had since. */
  laterTickers(ticker: Ticker): readonly Ticker[] {
    const later = new Set<Ticker>([ticker]);
    // A set is iterated over the names that are added meanwhile.
    for (const name of later) {
      for (const action of this.#byTicker.get(name) ?? none) {
        if (action.type === 'ticker-change') later.add(action.newTicker);
      }
    }
    return [...later].slice(1);
  }

  #withEarlier(ticker: Ticker): readonly CorporateAction[] {
    const all = [...(this.#byTicker.get(ticker) ?? none)];
    for (const { ticker: name, before } of this.earlierTickers(ticker)) {
      for (const action of this.#byTicker.get(name) ?? none) {
        const { exDay, type } = action;
        if (exDay > before) break;
        if (!all.some((one) => one.exDay === exDay && one.type === type)) all.push(action);
      }
    }
    return all.sort((a, b) => a.exDay - b.exDay);
  }

  /** The instruments that an action concerns, in no particular order. */
  get tickers(): Iterable<Ticker> {
    return new Set([...this.#byTicker.keys(), ...this.#changesTo.keys()]);
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

/** Whether two actions are equal in every field but the source. */
export function isSameApartFromSource(a: CorporateAction, b: CorporateAction): boolean {
  return isSameAction({ ...a, source: b.source }, b);
}

function valuesOf(action: CorporateAction): readonly (string | number)[] {
  const { ticker, exDay, type, source } = action;
  const common = [ticker, exDay, type, source];
  if (isFactorAction(action)) return [...common, action.factor];
  switch (action.type) {
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
 * The product of the factors of all actions whose ex date is after `from` and not after `to`. A price of the day
 * `from` is divided by it to compare with those of the day `to`.
 *
 * @param actions of one instrument, ascending by ex date
 */
export function priceFactor(
  actions: readonly CorporateAction[],
  { from, to }: { readonly from: EpochDay; readonly to: EpochDay },
): number {
  let factor = 1;
  for (const action of actions) {
    if (action.exDay > from && action.exDay <= to && isFactorAction(action))
      factor *= action.factor;
  }
  return factor;
}

/**
 * A price of the day `from` on the basis of the day `to`, to compare it with prices of that day (contract
 * 2.1.4).
 *
 * @param actions of one instrument, ascending by ex date
 */
export function priceOnBasisOf(
  price: number,
  actions: readonly CorporateAction[],
  days: { readonly from: EpochDay; readonly to: EpochDay },
): number {
  const factor = priceFactor(actions, days);
  return factor === 1 ? price : withoutBinaryError(price / factor);
}
