import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { mapEach, FeedFault, reject, type Rejected } from '../contract/feed.ts';
import { dailyHistory, type SentBar } from '../net/daily-history.ts';
import { polledType, type PolledSourceConfig } from '../net/polled-feed.ts';
import { requireList } from '../net/read-body.ts';
import { snapshotRequest } from '../net/trade-detector.ts';
import { fieldsOf, isAmount, isNone, dateIn } from '../shapes/as-record.ts';
import { sideOf, totalOf } from '../shapes/book-fields.ts';

/** The panels of the source, with the kinds of instruments that are taken from each. */
const panels = {
  arg_stocks: { market: 'BYMA', kinds: ['share'] },
  arg_cedears: { market: 'BYMA', kinds: ['cedear'] },
  // Treasury bills and bonds are in either of these two.
  arg_bonds: { market: 'BYMA', kinds: ['bond', 'bill'] },
  arg_notes: { market: 'BYMA', kinds: ['bond', 'bill'] },
  arg_corp: { market: 'BYMA', kinds: ['corporate-bond'] },
  usa_adrs: { market: 'US', kinds: ['adr'] },
  usa_stocks: { market: 'US', kinds: ['share', 'adr'] },
} as const satisfies Record<string, Panel>;

interface Panel {
  readonly market: 'BYMA' | 'US';
  readonly kinds: readonly Instrument['kind'][];
}

/** The name of a panel, which is the last part of its path. */
export type PanelName = keyof typeof panels;

/** The names of all panels, in the order in which they are requested. */
const panelNames = Object.keys(panels) as readonly PanelName[];

/** The suffix of the tickers of instruments that trade in the United States. */
const usSuffix = '_US';

/**
 * The symbol of an instrument. On BYMA it is the ticker itself: the symbols of the classes in dollars
 * follow no rule (`YPFDD`, `BMA.D`), so the universe names each of them. The symbol `BAC` on BYMA is
 * Boeing in dollars abroad; Bank of America is `BA.C`.
 */
function symbolOf({ ticker, market }: Instrument): { readonly market: string; symbol: string } {
  return ticker.endsWith(usSuffix)
    ? { market: 'US', symbol: ticker.slice(0, -usSuffix.length) }
    : { market, symbol: ticker };
}

/** The tickers of the instruments that a panel may have, by the symbol of the source. */
export function tickersOfPanel(
  name: PanelName,
  instruments: Iterable<Instrument>,
): ReadonlyMap<string, Ticker> {
  const panel: Panel = panels[name];
  const tickers = new Map<string, Ticker>();
  for (const instrument of instruments) {
    const { market, symbol } = symbolOf(instrument);
    if (panel.market === market && panel.kinds.includes(instrument.kind)) {
      tickers.set(symbol, instrument.ticker);
    }
  }
  return tickers;
}

/** What a panel means: its rows, each with its latest price, whenever that was. */
export function mapPanel(
  sent: readonly unknown[],
  { tickers, at }: { readonly tickers: ReadonlyMap<string, Ticker>; readonly at: number },
): { readonly rows: readonly Update[]; readonly rejected: readonly Rejected[] } {
  const { taken, rejected } = mapEach(sent, (one) => mapRow(one, tickers, at));
  return { rows: taken, rejected };
}

function mapRow(
  sent: unknown,
  tickers: ReadonlyMap<string, Ticker>,
  at: number,
): Update | Rejected {
  const row = fieldsOf(sent);
  const { symbol, c, v, q_op: trades } = row;
  if (typeof symbol !== 'string') return reject('unintelligible', sent);
  const ticker = tickers.get(symbol);
  if (ticker === undefined) return reject('no-instrument', symbol);
  if (!isAmountOrNone(c) || !isAmountOrNone(v) || !isAmountOrNone(trades)) {
    return reject('unintelligible', { c, v, q_op: trades }, symbol);
  }
  // 0 stands for a price that does not exist. `pct_change` may be of an earlier session.
  if (!c) return reject('no-price', { c, v, q_op: trades }, symbol);
  return {
    ticker,
    at,
    last: c,
    ...(isNone(v) ? {} : { volume: v }),
    ...sideOf('bid', row['px_bid'], row['q_bid']),
    ...sideOf('ask', row['px_ask'], row['q_ask']),
    ...totalOf('trades', trades),
  };
}

/** The path of the daily history of an instrument; undefined where the source has none. */
function historyPath(instrument: Instrument): string | undefined {
  const { market, symbol } = symbolOf(instrument);
  const folder = historyFolders[market]?.[instrument.kind];
  return folder === undefined ? undefined : `/historical/${folder}/${encodeURIComponent(symbol)}`;
}

/** Treasury bills have no history. */
const historyFolders: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  BYMA: { share: 'stocks', cedear: 'cedears', bond: 'bonds', 'corporate-bond': 'bonds' },
  US: { share: 'usa_stocks', adr: 'usa_stocks' },
};

/**
 * The daily bars of a body. Undefined for the object that the source sends, with status 200, about an
 * instrument that it does not have.
 */
function mapHistory(body: unknown): readonly SentBar[] | undefined {
  if (!Array.isArray(body)) return undefined;
  return body.map((one) => {
    const { date, o, h, l, c, v } = fieldsOf(one);
    return {
      date: dateIn(date),
      open: o,
      high: h,
      low: l,
      close: c,
      volume: v,
    };
  });
}

/** Whether a body says that the source does not have an instrument. */
function isUnknownInstrument(body: unknown): boolean {
  return typeof fieldsOf(body)['Error'] === 'string';
}

function isAmountOrNone(value: unknown): value is number | null | undefined {
  return isNone(value) || isAmount(value);
}

/** Shares, bonds, notes, corporate bonds and CEDEARs of BYMA, and US shares and ADRs, of data912.com. */
export const data912Type = polledType({
  type: 'data912',
  staleAfterSeconds: 600,
  url: 'https://data912.com',
  // The panels are refreshed every 20 seconds, and a cache stores them for 30.
  pollSeconds: { usual: 30, min: 20 },
  closedPollSeconds: 300,
  // The source allows 120 requests a minute on each path.
  spacingMs: 500,
  // The source does not state its delay. Its description says that it is not in real time.
  delayMinutes: undefined,
  offers: (instrument) => panelNames.some((name) => tickersOfPanel(name, [instrument]).size > 0),
  requests(instruments, config, { universe }) {
    /** An instrument that two panels have is taken from the panel that had it first. */
    const owners = new Map<Ticker, PanelName>();
    return panelNames.flatMap((name) => {
      const tickers = tickersOfPanel(name, instruments);
      if (tickers.size === 0) return [];
      const url = new URL(`/live/${name}`, config.url);
      return snapshotRequest(universe, {
        isResetAsWhole: false,
        request: () => ({ url }),
        map({ json, snapshotAt }) {
          const { rows, rejected } = mapPanel(requireList(json()), { tickers, at: snapshotAt });
          const own = rows.filter(({ ticker }) => owners.getOrInsert(ticker, name) === name);
          return { rows: own, rejected, read: rows };
        },
      });
    });
  },
  // A response is always the whole series, as traded.
  createHistory: dailyHistory({
    offers: (instrument) => historyPath(instrument) !== undefined,
    spacingMs: 1_000,
    // It answers 404 for most instruments that it does not have.
    refusesUnknown: true,
    async bars({ instrument, read }, config: PolledSourceConfig) {
      const path = historyPath(instrument);
      if (path === undefined) return undefined;
      const body = await read(new URL(path, config.url));
      if (isUnknownInstrument(body)) return undefined;
      const bars = mapHistory(body);
      if (bars === undefined)
        throw new FeedFault('unintelligible', `${path} holds no list of bars`);
      return { bars };
    },
  }),
});
