import { doubtsAbout, hasUnits, type ActionDoubt } from '../../domain/history/action-evidence.ts';
import { CorporateActions } from '../../domain/history/corporate-actions.ts';
import { closesByDay } from '../../domain/history/daily-close.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { firstEpochDay, lastEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { DayRange, HistoryReader } from '../../store/contract/history-store.ts';
import { ContinuedHistory } from '../../store/continued/continued-history.ts';
import { openPlace } from '../../node/place/open-place.ts';
import { requireInstrument } from '../universe/require-instrument.ts';
import { requireUniverse } from '../../node/site/require-universe.ts';

/** A doubt with its instrument. */
export interface InstrumentDoubt extends ActionDoubt {
  readonly ticker: Ticker;
}

/**
 * Compares the stored closes with the stored actions, of one instrument or of all. It changes nothing,
 * and a service may be running.
 *
 * @throws {OperatorFault} when the universe has faults or lacks the instrument.
 * @throws {StoreFault} when the store cannot be read.
 */
export async function checkStoredActions(request: {
  readonly storeAt: string;
  readonly universeDirectory: string;
  readonly ticker: string | undefined;
}): Promise<readonly InstrumentDoubt[]> {
  const universe = await requireUniverse(request.universeDirectory);
  const instruments = instrumentsOf(universe, request.ticker);
  await using place = openPlace(request.storeAt);
  await using store = await place.open({ mode: 'read' });
  const actions = new CorporateActions((await store.actions.readAll()).actions);
  const doubts: InstrumentDoubt[] = [];
  const range = { from: firstEpochDay, to: lastEpochDay };
  const history = new ContinuedHistory(store.history, () => actions);
  for await (const doubt of doubtsIn(history, { instruments, actions, range })) {
    doubts.push(doubt);
  }
  return doubts;
}

function instrumentsOf(universe: Universe, ticker: string | undefined): readonly Instrument[] {
  if (ticker === undefined) return universe.instruments;
  return [requireInstrument(universe, ticker)];
}

/** The doubts about the actions of those instruments that have units, from the closes of a range. */
export async function* doubtsIn(
  history: Pick<HistoryReader, 'readSeries'>,
  {
    instruments,
    actions,
    range,
  }: {
    readonly instruments: readonly Instrument[];
    readonly actions: CorporateActions;
    readonly range: DayRange;
  },
): AsyncGenerator<InstrumentDoubt> {
  for (const { ticker, kind } of instruments) {
    if (!hasUnits(kind)) continue;
    const rows = closesByDay(await history.readSeries(ticker, range));
    for (const doubt of doubtsAbout(rows, actions.of(ticker))) yield { ticker, ...doubt };
  }
}
