import { parseRfc3339 } from '../../domain/calendar/rfc3339.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { messageOf, reject, type FeedMessage, type Rejected } from '../contract/feed.ts';
import { polledType } from '../net/polled-feed.ts';
import { readJson, requireList } from '../net/read-body.ts';

/** The symbols of the source. Never compute a ticker from a symbol: the exceptions are many. */
const tickers: Readonly<Record<string, string>> = { 'GGAL.BA': 'GGAL', 'YPFD.BA': 'YPFD' };

/** Maps the items of a response. */
export function mapEjemplo(items: readonly unknown[]): FeedMessage {
  return messageOf(items.map(mapItem));
}

function mapItem(item: unknown): Update | Rejected {
  const { symbol, price, time } = Object(item) as Record<string, unknown>;
  if (typeof symbol !== 'string') return reject('unintelligible', item);
  const ticker = Object.hasOwn(tickers, symbol) ? tickers[symbol] : undefined;
  if (ticker === undefined) return reject('no-instrument', item, symbol);
  const at = typeof time === 'string' ? parseRfc3339(time) : undefined;
  if (at === undefined) return reject('bad-instant', time, symbol);
  if (typeof price !== 'number') return reject('no-price', price, symbol);
  return { ticker: ticker as Ticker, at, last: price };
}

/** Shares of an imaginary source. */
export const ejemploType = polledType({
  type: 'ejemplo',
  staleAfterSeconds: 300,
  url: 'https://api.ejemplo.test',
  pollSeconds: { usual: 60, min: 20 },
  closedPollSeconds: 600,
  delayMinutes: 0,
  offers: Object.values(tickers),
  requests: (_instruments, config) => [
    {
      request: () => ({ url: new URL('/v1/prices', config.url) }),
      map: (body) => mapEjemplo(requireList(readJson(body))),
    },
  ],
});
