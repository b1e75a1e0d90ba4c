import { Board } from '../../board/board.ts';
import { LocalBus } from '../../bus/local/local-bus.ts';
import { unpackQuote } from '../../bus/process/packed-quotes.ts';
import type { PackedQuote } from '../../bus/process/packed-quotes.ts';
import { Universe } from '../../domain/universe.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { ActionFollower } from '../../pipeline/follow-actions.ts';
import { serve } from '../../pipeline/serve.ts';
import { ContinuedHistory } from '../../store/continued-history.ts';
import { HistoryChanges } from '../../store/history-changes.ts';
import type { ShownSite } from '../listeners/open-listeners.ts';
import { followChanges } from '../site/follow-changes.ts';
import { openBars } from '../site/open-bars.ts';
import { openPlace } from '../place/open-place.ts';
import { sitePlace } from '../site/open-site.ts';
import type { ShowMessage } from './messages.ts';

/** A site whose market runs in another process. */
export interface ReceivedSite extends ShownSite, AsyncDisposable {
  /** Publishes quotes of that process. */
  take(quotes: readonly PackedQuote[]): void;
}

/**
 * Opens a site from a message. The board has all quotes when the promise resolves. History and corporate
 * actions are read from the store. Changes of them apply here as soon as in the process that runs the
 * market.
 *
 * @throws StoreFault when the store cannot be read.
 */
export async function openReceivedSite(
  { universe: parts, settings, isSimulated, quotes }: ShowMessage,
  log: Log,
): Promise<ReceivedSite> {
  await using cleanUp = new AsyncDisposableStack();
  const universe = new Universe(parts);
  const installation = cleanUp.use(openPlace(settings.store));
  const place = cleanUp.use(sitePlace(isSimulated, installation));
  const store = cleanUp.use(await place.open({ mode: 'read' }));

  const historyChanges = new HistoryChanges();
  const actions = new ActionFollower(store.actions, (tickers) => historyChanges.publish(tickers));
  const history = new ContinuedHistory(store.history, () => actions.current);
  // No series is cached yet, so only later changes matter.
  let { revision } = await history.changesSince(Number.MAX_SAFE_INTEGER);
  await actions.catchUp();
  const catchUp = async (): Promise<void> => {
    await actions.catchUp();
    const changes = await history.changesSince(revision);
    if (changes.tickers.length > 0) historyChanges.publish(changes.tickers);
    ({ revision } = changes);
  };
  const onFault = (fault: unknown): void =>
    log.error({ err: fault }, 'could not read changes of the history, retrying');
  cleanUp.use(followChanges(catchUp, { hints: store.hints, onFault }));

  const bars = openBars({
    store,
    actions: () => actions.current,
    universe,
    sessions: settings.intradaySessions,
    // The first process has filled the demonstration at most a moment before.
    demonstrationSince: isSimulated ? systemClock.now() : undefined,
  });
  const board = new Board(universe);
  const bus = new LocalBus();
  cleanUp.use(serve(bus, board));
  const take = (packed: readonly PackedQuote[]): void =>
    bus.publish(packed.map((one) => unpackQuote(one, universe)));
  take(quotes);
  const running = cleanUp.move();
  return {
    isSimulated,
    history,
    bars,
    get actions() {
      return actions.current;
    },
    historyChanges,
    market: { board, bus },
    take,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
