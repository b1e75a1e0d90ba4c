import { doubtsAbout, hasUnits, type ActionDoubt } from '../../domain/history/action-evidence.ts';
import { CorporateActions } from '../../domain/history/corporate-actions.ts';
import { closesByDay } from '../../domain/history/daily-close.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import {
  firstEpochDay,
  fromEpochDay,
  lastEpochDay,
  type EpochDay,
  utcDayOf,
} from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { DayRange } from '../../store/contract/history-store.ts';
import { ContinuedHistory } from '../../store/continued/continued-history.ts';
import type { Store } from '../../store/contract/store.ts';
import { warningIfAny, type Finding } from '../../lib/reports/finding.ts';

/** A doubt with its instrument. */
export interface InstrumentDoubt extends ActionDoubt {
  readonly ticker: Ticker;
}

/**
 * Compares the stored closes of a range with the stored actions, of those instruments that have units. It changes
 * nothing, and a service may be running.
 *
 * @throws {StoreFault} when the store cannot be read.
 */
export async function checkStoredActions(
  store: Pick<Store, 'actions' | 'history'>,
  instruments: readonly Instrument[],
  range: DayRange = { from: firstEpochDay, to: lastEpochDay },
): Promise<{ readonly recorded: number; readonly doubts: readonly InstrumentDoubt[] }> {
  const { values: all } = await store.actions.readAll();
  const actions = new CorporateActions(all);
  const history = new ContinuedHistory(store.history, () => actions);
  const doubts: InstrumentDoubt[] = [];
  for (const { ticker, kind } of instruments) {
    if (!hasUnits(kind)) continue;
    const rows = closesByDay(await history.readSeries(ticker, range));
    for (const doubt of doubtsAbout(rows, actions.of(ticker))) doubts.push({ ticker, ...doubt });
  }
  return { recorded: all.length, doubts };
}

/** Number of days that are checked. "pizarra actions check" checks all of them. */
const lookBackDays = 60;

/**
 * Checks whether recent closes look like those after a split that is not recorded, or contradict a
 * recorded action. For 10,000 instruments it takes about a second.
 */
export async function checkActions(
  universe: Universe,
  store: Pick<Store, 'actions' | 'history'>,
  now: number,
): Promise<Finding> {
  const today = utcDayOf(now);
  const range = { from: (today - lookBackDays) as EpochDay, to: (today + 1) as EpochDay };
  const { recorded, doubts } = await checkStoredActions(store, universe.instruments, range);
  const cases = doubts.map(({ ticker, day, type, close, previousClose }) => {
    const what = type === 'unrecorded' ? 'looks like a split' : 'contradicts a recorded action';
    return `${ticker} ${fromEpochDay(day)}: ${close} after ${previousClose} ${what}`;
  });
  const known = `${recorded} corporate actions are recorded`;
  return warningIfAny('actions', cases, {
    none: `${known}. No close of the last ${lookBackDays} days contradicts them.`,
    some: `${known}. Closes of the last ${lookBackDays} days contradict them.`,
    todo: 'Record the action ("pizarra actions import"), remove a wrong one ("pizarra actions remove"), or import the right closes. "pizarra actions check" has the details.',
  });
}
