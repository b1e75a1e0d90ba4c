import type { Ticker } from '../../domain/instruments/ticker.ts';
import {
  FeedFault,
  mapEach,
  messageOf,
  reject,
  type FeedMessage,
  type Rejected,
} from '../contract/feed.ts';
import { polledType } from '../net/polled-feed.ts';
import { asRecord, fieldsOf, isPrice } from '../shapes/as-record.ts';

/** The instrument that the document of the dollars gives. */
const cryptoDollar = 'DOLAR CRIPTO';

/** The path of the document of the dollars. */
const dollarsPath = '/api/dolar';

/** The paths of the quotes of coins in pesos, for an order of 0.1 coins, by ticker. */
const coinPaths: ReadonlyMap<string, string> = new Map(
  ['BTC', 'ETH', 'USDC'].map((coin) => [`${coin}/ARS`, `/api/${coin}/ARS/0.1`]),
);

/** A quote that is older than this is no longer renewed, in milliseconds. */
const ageMsMax = 900_000;

/** How far the clock of the source may be ahead, in milliseconds. */
const clockToleranceMs = 60_000;

/** The minimum number of exchanges with a current quote from which a price is taken. */
const exchangesMin = 3;

/**
 * Maps the dollars to the crypto dollar: what a customer pays for a USDT.
 *
 * @throws FeedFault when the body is another document.
 */
export function mapDollars(
  body: unknown,
  { ticker, snapshotAt }: { readonly ticker: Ticker; readonly snapshotAt: number },
): FeedMessage {
  const quote = asRecord(asRecord(asRecord(body)?.['cripto'])?.['usdt']);
  if (quote === undefined) {
    throw new FeedFault('unintelligible', `${dollarsPath} holds no price of the crypto dollar`);
  }
  const { ask, bid, timestamp } = quote;
  const read = readQuote({ ask, bid, time: timestamp }, { symbol: 'usdt', snapshotAt });
  // A customer pays the ask for a dollar, and gets the bid.
  return messageOf(['reason' in read ? read : { ticker, last: read.ask, ...read }]);
}

/**
 * Maps the quotes of a coin by exchange to one price: the median of the midpoints of all exchanges with
 * a current quote. One exchange with a wrong price does not move it.
 *
 * @throws FeedFault when the body is another document.
 */
export function mapCoin(
  body: unknown,
  { ticker, snapshotAt }: { readonly ticker: Ticker; readonly snapshotAt: number },
): FeedMessage {
  const exchanges = Object.entries(fieldsOf(body)).flatMap(([name, value]) => {
    const fields = asRecord(value);
    return fields !== undefined && 'ask' in fields ? [{ name, ...fields }] : [];
  });
  if (exchanges.length === 0) {
    throw new FeedFault('unintelligible', `the source sent no exchange for ${ticker}`);
  }
  const { taken: quotes, rejected } = mapEach(exchanges, ({ name, ...fields }) =>
    readQuote(fields, { symbol: `${ticker} ${name}`, snapshotAt }),
  );
  if (quotes.length < exchangesMin) {
    const sample = `${quotes.length} of ${exchanges.length} exchanges have a current quote`;
    const all = [...rejected, reject('incomplete', sample, ticker)];
    return { updates: [], rejected: all, rows: exchanges.length };
  }
  const at = Math.max(...quotes.map((quote) => quote.at));
  const last = median(quotes.map(({ ask, bid }) => (ask + bid) / 2));
  return { updates: [{ ticker, at, last }], rejected, rows: exchanges.length };
}

/** A current quote of one exchange. */
interface Quote {
  readonly ask: number;
  readonly bid: number;
  readonly at: number;
}

interface SentQuote {
  readonly ask?: unknown;
  readonly bid?: unknown;
  /** In seconds since 1970. */
  readonly time?: unknown;
}

function readQuote(
  { ask, bid, time }: SentQuote,
  { symbol, snapshotAt }: { readonly symbol: string; readonly snapshotAt: number },
): Quote | Rejected {
  const sample = { ask, bid, time };
  if (!isPrice(ask) || !isPrice(bid)) return reject('no-price', sample, symbol);
  if (bid > ask) return reject('crossed', sample, symbol);
  if (!isPrice(time)) return reject('bad-instant', sample, symbol);
  const at = Math.floor(time * 1_000);
  if (at > snapshotAt + clockToleranceMs) return reject('bad-instant', sample, symbol);
  if (at < snapshotAt - ageMsMax) return reject('outdated', sample, symbol);
  return { ask, bid, at };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  const high = sorted[Math.floor(middle)] ?? Number.NaN;
  return (low + high) / 2;
}

/** The crypto dollar and crypto assets in pesos, of the exchanges that criptoya.com compares. */
export const criptoyaType = polledType({
  type: 'criptoya',
  staleAfterSeconds: 900,
  url: 'https://criptoya.com',
  pollSeconds: { usual: 120, min: 60 },
  closedPollSeconds: 600,
  spacingMs: 500,
  delayMinutes: 0,
  offers: [cryptoDollar, ...coinPaths.keys()],
  requests: (instruments, config) =>
    instruments.map(({ ticker }) => {
      const path = coinPaths.get(ticker);
      const url = new URL(path ?? dollarsPath, config.url);
      const map = path === undefined ? mapDollars : mapCoin;
      return {
        request: () => ({ url }),
        map: ({ json, snapshotAt }) => map(json(), { ticker, snapshotAt }),
      };
    }),
});
