import { addDays } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { actionsOfAlpaca, type AlpacaActions } from '../shapes/alpaca-corporate-actions.ts';
import { FeedFault } from '../contract/feed.ts';
import type { HistorySource } from '../contract/history-source.ts';
import type { SentBar } from '../net/daily-bars.ts';
import { createDailyHistory, type BarsRequest, type HistoryDeps } from '../net/daily-history.ts';
import { reject } from '../contract/sample.ts';
import { mapBars } from './alpaca-mapper.ts';

/** The source allows 200 requests a minute, and one instrument takes two. */
const spacingMs = 700;

/** The maximum number of bars of one response. */
const barsMax = 10_000;

/** More pages than the bars of a hundred years need. */
const pagesMax = 4;

/** Without a subscription, the data of all exchanges must be older than 15 minutes. */
const minimumAgeMs = 16 * 60_000;

/** The maximum number of corporate actions of one response. */
const actionsMax = 1_000;

/** The types of corporate actions that are read. */
const actionTypes = 'forward_split,reverse_split,stock_dividend,cash_dividend';

/**
 * Daily bars of all exchanges, as traded: the source is asked for unadjusted bars. The corporate actions
 * of the same days come from another path.
 */
export function createAlpacaHistory(
  config: { readonly name: string; readonly historyUrl: string },
  deps: HistoryDeps,
  {
    symbols,
    headers,
  }: {
    readonly symbols: ReadonlyMap<string, Ticker>;
    /** Built for each request, so that a replaced key takes effect. */
    readonly headers: () => Readonly<Record<string, string>>;
  },
): HistorySource {
  const symbolsByTicker = new Map([...symbols].map(([symbol, ticker]) => [ticker, symbol]));
  return createDailyHistory(config, deps, {
    instruments: [...symbols.values()],
    spacingMs,
    refusesUnknown: true,
    async bars({ ticker, from, to, calendar, dateAt, now, read }) {
      const symbol = symbolsByTicker.get(ticker);
      if (symbol === undefined) return undefined;
      const endsAt = Math.min(calendar.startOfDay(addDays(to, 1)) - 1, now - minimumAgeMs);
      const startsAt = calendar.startOfDay(from);
      const bars: SentBar[] = [];
      if (startsAt > endsAt) return { bars };
      const url = new URL('/v2/stocks/bars', config.historyUrl);
      url.search = new URLSearchParams({
        symbols: symbol,
        timeframe: '1Day',
        start: new Date(startsAt).toISOString(),
        end: new Date(endsAt).toISOString(),
        adjustment: 'raw',
        feed: 'sip',
        limit: String(barsMax),
      }).toString();
      for (let pages = 1; ; pages += 1) {
        const body = await read(url, headers());
        const page = mapBars(body, symbol, dateAt);
        bars.push(...page.bars);
        if (page.nextPage === undefined) break;
        if (pages === pagesMax) throw new FeedFault('unintelligible', 'the pages do not end');
        url.searchParams.set('page_token', page.nextPage);
      }
      const { actions, unread } = await actionsOf(symbol, { from, to, read });
      return { bars, rejected: unread.map((path) => reject('unintelligible', path)), actions };
    },
  });

  /** None when the source does not accept the symbol. A year has fewer than one page of a symbol. */
  async function actionsOf(
    symbol: string,
    { from, to, read }: Pick<BarsRequest, 'from' | 'to' | 'read'>,
  ): Promise<AlpacaActions> {
    const url = new URL('/v1/corporate-actions', config.historyUrl);
    url.search = new URLSearchParams({
      symbols: symbol,
      types: actionTypes,
      start: from,
      end: to,
      limit: String(actionsMax),
    }).toString();
    try {
      return actionsOfAlpaca(await read(url, headers()), {
        tickerOf: (sent) => (sent === symbol ? symbols.get(sent) : undefined),
        nameOf: (sent) => symbols.get(sent) ?? (sent as Ticker),
        source: config.name,
      });
    } catch (fault) {
      if (!(fault instanceof FeedFault) || fault.code !== 'invalid-request') throw fault;
      return { actions: [], unread: [], unknown: new Set() };
    }
  }
}
