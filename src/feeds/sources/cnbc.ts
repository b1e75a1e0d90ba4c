import { parsePlainDate } from '../../domain/calendar/plain-date.ts';
import { parseRfc3339 } from '../../domain/calendar/rfc3339.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { FeedFault, messageOf, reject, type FeedMessage, type Rejected } from '../contract/feed.ts';
import { newFirst } from '../contract/select-instruments.ts';
import { chunksOf } from '../net/chunks-of.ts';
import { polledType } from '../net/polled-feed.ts';
import { fieldsOf, pricesOf, type JsonFields } from '../shapes/as-record.ts';
import { usSymbolOf } from '../shapes/us-symbols.ts';

/** Public clients request up to 60 symbols at once. */
const symbolsPerRequest = 40;

/** Public clients name a browser, as the pages of the source do. */
const requestHeaders = {
  accept: 'application/json',
  'user-agent': 'Mozilla/5.0 (compatible; Pizarra)',
};

/** What the source calls an instrument. */
interface CnbcSymbol {
  readonly ticker: Ticker;
  readonly symbol: string;
  readonly calendar: Pick<SessionCalendar, 'isSession' | 'lastInstantOf'>;
}

/** The path of the quotes of some symbols, with its query. */
function quotesPath(symbols: readonly CnbcSymbol[]): string {
  const names = symbols.map(({ symbol }) => encodeURIComponent(symbol)).join('%7C');
  return (
    '/quote-html-webservice/restQuote/symbolType/symbol' +
    `?symbols=${names}&requestMethod=itv&noform=1&partnerId=2&fund=1&exthrs=1&output=json`
  );
}

/**
 * Maps the quotes of some symbols to the state of their latest session. The prices before the open and after
 * the close (`ExtendedMktQuote`) are not used. Nor is `previous_day_closing`: after the close it is the close
 * of the same day.
 *
 * @param now in epoch milliseconds. No price is later.
 * @throws FeedFault `unintelligible` when the body has no quotes.
 */
export function mapQuotes(
  body: unknown,
  { symbols, now }: { readonly symbols: readonly CnbcSymbol[]; readonly now: number },
): FeedMessage {
  const { FormattedQuote: sent } = fieldsOf(fieldsOf(body)['FormattedQuoteResult']);
  // The source sends a single quote without a list.
  const rows = (Array.isArray(sent) ? sent : [sent]).map(fieldsOf);
  const known = rows.filter(({ symbol }) => typeof symbol === 'string');
  if (known.length === 0) throw new FeedFault('unintelligible', 'the source sent no quotes');
  const bySymbol = new Map(symbols.map((one) => [one.symbol, one]));
  const missing = new Set(bySymbol.keys());
  const mapped = known.map((row) => {
    const symbol = String(row['symbol']);
    const one = bySymbol.get(symbol);
    missing.delete(symbol);
    return one === undefined ? reject('no-instrument', symbol, symbol) : mapRow(row, one, now);
  });
  // Now and then the source leaves a symbol out, and sends it with the next response.
  const lacking = Array.from(missing, (symbol) => reject('incomplete', symbol, symbol));
  return messageOf([...mapped, ...lacking]);
}

function mapRow(
  row: JsonFields,
  { ticker, symbol, calendar }: CnbcSymbol,
  now: number,
): Update | Rejected {
  const { code, currencyCode, countryCode, realTime, last, last_time: time, volume } = row;
  if (Number(code) !== 0) return reject('not-offered', { code }, symbol);
  if (currencyCode !== 'USD' || (countryCode ?? 'US') !== 'US') {
    return reject('unintelligible', { currencyCode, countryCode }, symbol);
  }
  // The delay of the source would not be that of the configuration.
  if (String(realTime) !== 'true') return reject('outdated', { realTime }, symbol);
  const price = numberOf(last);
  if (price === undefined) return reject('no-price', { last }, symbol);
  const at = instantOf(time, calendar);
  if (at === undefined || at > now) return reject('bad-instant', { last_time: time }, symbol);
  const traded = numberOf(volume, { isCount: true });
  if (traded === 0) return reject('not-traded', { last, volume }, symbol);
  const [open, high, low] = [row['open'], row['high'], row['low']].map((value) => numberOf(value));
  return {
    ticker,
    at,
    last: price,
    ...pricesOf({ open, high, low, volume: traded }),
  };
}

/** A price above zero, or a count, as text with commas: `4,098.12`. */
function numberOf(value: unknown, { isCount = false } = {}): number | undefined {
  if (typeof value !== 'string' || !numberForm.test(value)) return undefined;
  const number = Number(value.replaceAll(',', ''));
  return number > 0 || isCount ? number : undefined;
}

const numberForm = /^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/;

/** During a session the instant of the price; afterwards only the date of its session. */
function instantOf(time: unknown, calendar: CnbcSymbol['calendar']): number | undefined {
  if (typeof time !== 'string') return undefined;
  const date = parsePlainDate(time);
  if (date !== undefined) {
    return calendar.isSession(date) ? calendar.lastInstantOf(date) : undefined;
  }
  // The offset has no colon: `2026-09-11T11:17:11.000-0400`.
  return parseRfc3339(time.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
}

/** US shares, ADRs and ETFs of the quote service of CNBC. */
export const cnbcType = polledType({
  type: 'cnbc',
  staleAfterSeconds: 1_800,
  url: 'https://quote.cnbc.com',
  pollSeconds: { usual: 120, min: 60 },
  closedPollSeconds: 3_600,
  // The limits of the source are not published.
  spacingMs: 1_000,
  // The source marks each quote of a US share as real-time. Others are rejected.
  delayMinutes: 0,
  offers: (instrument) => usSymbolOf(instrument) !== undefined,
  requests(instruments, config, { universe, earlier, clock }) {
    const calendars = new MarketCalendars(universe);
    const symbols = newFirst(instruments, earlier).flatMap((instrument): readonly CnbcSymbol[] => {
      const symbol = usSymbolOf(instrument);
      const { ticker } = instrument;
      return symbol === undefined ? [] : [{ ticker, symbol, calendar: calendars.of(instrument) }];
    });
    return chunksOf(symbols, symbolsPerRequest).map((some) => ({
      request: () => ({ url: new URL(quotesPath(some), config.url), headers: requestHeaders }),
      map: ({ json }) => mapQuotes(json(), { symbols: some, now: clock.now() }),
    }));
  },
});
