import { CorporateActions } from '../../domain/history/corporate-actions.ts';
import { fromEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { ContinuedHistory } from '../../store/continued/continued-history.ts';
import type { Store } from '../../store/contract/store.ts';
import { doubtsIn } from '../actions/check-actions.ts';
import { fine, warning, type Finding } from '../../lib/reports/finding.ts';

/** Number of days that are checked. "pizarra actions check" checks all of them. */
const lookBackDays = 60;

const dayMs = 86_400_000;

/**
 * Checks whether recent closes look like those after a split that is not recorded, or contradict a
 * recorded action. For 10,000 instruments it takes about a second.
 */
export async function checkActions(
  universe: Universe,
  store: Pick<Store, 'actions' | 'history'>,
  now: number,
): Promise<Finding> {
  const { actions: all } = await store.actions.readAll();
  const today = Math.floor(now / dayMs);
  const range = { from: (today - lookBackDays) as EpochDay, to: (today + 1) as EpochDay };
  const actions = new CorporateActions(all);
  const history = new ContinuedHistory(store.history, () => actions);
  const cases: string[] = [];
  for await (const { ticker, day, type, close, previousClose } of doubtsIn(history, {
    instruments: universe.instruments,
    actions,
    range,
  })) {
    const what = type === 'unrecorded' ? 'looks like a split' : 'contradicts a recorded action';
    cases.push(`${ticker} ${fromEpochDay(day)}: ${close} after ${previousClose} ${what}`);
  }
  const known = `${all.length} corporate actions are recorded`;
  if (cases.length === 0) {
    return fine('actions', `${known}. No close of the last ${lookBackDays} days contradicts them.`);
  }
  return warning('actions', `${known}. Closes of the last ${lookBackDays} days contradict them.`, {
    todo: 'Record the action ("pizarra actions import"), remove a wrong one ("pizarra actions remove"), or import the right closes. "pizarra actions check" has the details.',
    cases,
  });
}
