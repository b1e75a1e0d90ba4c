import type { ActionType, CorporateAction } from '../../domain/history/corporate-action.ts';
import { fromEpochDay, toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { tickerKey } from '../../domain/instruments/ticker.ts';
import { actionTypeNames, parseActionType } from '../../import/actions/action-fields.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { openPlace } from '../../node/place/open-place.ts';
import { OperatorFault } from '../../lib/reports/operator-fault.ts';

export { actionTypeNames, parseActionType };
export type { ActionType, CorporateAction };

/** The stored actions of one instrument, or of all, by ticker and ex date. */
export async function listActions(
  storeAt: string,
  ticker: string | undefined,
): Promise<readonly CorporateAction[]> {
  await using place = openPlace(storeAt);
  await using store = await place.open({ mode: 'read' });
  const { actions } = await store.actions.readAll();
  return ticker === undefined ? actions : actions.filter(isOf(ticker));
}

/**
 * Removes one action. A running service applies this at once.
 *
 * @throws {OperatorFault} when there is no such action.
 */
export async function removeAction(
  storeAt: string,
  wanted: { readonly ticker: string; readonly date: PlainDate; readonly type: ActionType },
): Promise<CorporateAction> {
  await using place = openPlace(storeAt);
  await using store = await place.open({ mode: 'write' });
  const exDay = toEpochDay(wanted.date);
  const found = (await store.actions.readAll()).actions
    .filter(isOf(wanted.ticker))
    .find((one) => one.exDay === exDay && one.type === wanted.type);
  if (found === undefined) {
    throw new OperatorFault(
      `There is no ${wanted.type} of ${wanted.ticker} on ${fromEpochDay(exDay)}. "pizarra actions list" lists all actions.`,
    );
  }
  const { ticker, type } = found;
  const by = { at: systemClock.now(), origin: 'remove' } as const;
  await store.actions.apply({ put: [], remove: [{ ticker, exDay, type }] }, by);
  return found;
}

/** Whether an action concerns an instrument. A change of the ticker concerns both. */
function isOf(spelling: string): (action: CorporateAction) => boolean {
  const key = tickerKey(spelling);
  return (action) =>
    tickerKey(action.ticker) === key ||
    (action.type === 'ticker-change' && tickerKey(action.newTicker) === key);
}
