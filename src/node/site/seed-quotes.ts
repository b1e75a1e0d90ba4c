import { makeLiveBar, msPerMinute } from '../../domain/quotes/minute-bar.ts';
import type { LiveBar } from '../../domain/quotes/minute-bar.ts';
import { toEpochDay } from '../../domain/calendar/plain-date.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { QuoteSource } from '../../domain/quotes/quote.ts';
import { noReferences } from '../../domain/history/reference-closes.ts';
import type { LiveSession, StoredQuote } from '../../domain/quotes/stored-quote.ts';
import type { SimulatedMinutes } from '../../feeds/simulated/simulated-minutes.ts';
import type { HistoryReader } from '../../store/contract/history-store.ts';
import type { Store } from '../../store/contract/store.ts';

/**
 * Stores the quotes of a demonstration as if it had been running until an instant: each one has the open, the
 * range and the volume of its session so far, and the bar of its last minute. So the first update continues
 * the session, and the volume before it is in no recorded bar. Quotes of the current session stay.
 */
export async function seedQuotes(
  store: Pick<Store, 'history' | 'quotes'>,
  {
    minutes,
    source,
    now,
  }: { readonly minutes: SimulatedMinutes; readonly source: QuoteSource; readonly now: number },
): Promise<void> {
  const stored = await store.quotes.readAll();
  const sessions = new Map(stored.map(({ ticker, session }) => [ticker, session.sessionDate]));
  let version = stored.reduce((latest, one) => Math.max(latest, one.version), 0);
  const quotes: StoredQuote[] = [];
  // One market after the other: the instruments of a market share the paths of their prices.
  const byMarket = minutes.universe.instruments.toSorted((a, b) => compare(a.market, b.market));
  for (const instrument of byMarket) {
    const { ticker } = instrument;
    const calendar = minutes.calendarOf(instrument);
    const date = calendar.sessionAt(now);
    if ((sessions.get(ticker) ?? '') >= date) continue;
    const seed =
      calendar.closesAt(date) > now
        ? openSession(minutes, instrument, { date, now, source })
        : await endedSession(minutes, instrument, { date, history: store.history });
    if (seed === undefined) continue;
    version += 1;
    quotes.push({ ticker, version, references: noReferences, ...seed });
  }
  if (quotes.length > 0) await store.quotes.commit({ quotes, closes: [] });
}

type Seed = Pick<StoredQuote, 'session' | 'bar' | 'source'>;

/** A session under way, from its minutes so far. Undefined in its first minute. */
function openSession(
  minutes: SimulatedMinutes,
  instrument: Instrument,
  {
    date,
    now,
    source,
  }: { readonly date: PlainDate; readonly now: number; readonly source: QuoteSource },
): Seed | undefined {
  const bars = minutes.ofSession(instrument, date, now);
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const volume =
    last.volume === null ? null : bars.reduce((sum, bar) => sum + (bar.volume ?? 0), 0);
  const session: LiveSession = {
    sessionDate: date,
    asOf: (last.minute + 1) * msPerMinute,
    last: last.last,
    open: first.open,
    openAt: first.minute * msPerMinute,
    high: Math.max(...bars.map(({ high }) => high)),
    low: Math.min(...bars.map(({ low }) => low)),
    volume,
    isInHistory: false,
    historyClose: null,
  };
  return { session, source, bar: recorded(last, volume) };
}

/** A session that is over, as the engine adopts it from history. */
async function endedSession(
  minutes: SimulatedMinutes,
  { ticker }: Instrument,
  { date, history }: { readonly date: PlainDate; readonly history: HistoryReader },
): Promise<Seed | undefined> {
  const day = toEpochDay(date);
  const { closes, volumes, opens, highs, lows } = await history.readBars(ticker, {
    from: day,
    to: day,
  });
  const last = closes[0];
  if (last === undefined) return undefined;
  const [volume, open, high, low] = [volumes, opens, highs, lows].map((column) =>
    Number.isNaN(column[0]) ? undefined : column[0],
  );
  const session: LiveSession = {
    sessionDate: date,
    last,
    open,
    high,
    low,
    volume: volume ?? null,
    openAt: null,
    isInHistory: true,
    historyClose: last,
  };
  const minute =
    Math.floor(minutes.calendarOf(minutes.universe.get(ticker)).closesAt(date) / msPerMinute) - 1;
  const bar = { day, minute, open: last, high: last, low: last, last, volume: 0 };
  return { session, bar: recorded(bar, session.volume) };
}

/** A minute as the bar under way that the history of bars has already. */
function recorded(
  bar: Omit<LiveBar, 'volumeFrom' | 'volumeTo' | 'isRecorded'>,
  volume: number | null,
): LiveBar {
  const volumeFrom = (volume ?? 0) - (bar.volume ?? 0);
  return makeLiveBar({ ...bar, volumeFrom, volumeTo: volume, isRecorded: true });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
