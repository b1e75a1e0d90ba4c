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
}

/** An installation without corporate actions. */
export const noActions = new CorporateActions([]);

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
