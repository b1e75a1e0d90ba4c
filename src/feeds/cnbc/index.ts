import * as v from '@badrap/valita';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { FeedDeps, FeedType } from '../contract/feed-type.ts';
import type { Feed } from '../contract/feed.ts';
import { commonFields, networkFields } from '../contract/fields.ts';
import { chunksOf } from '../net/chunks-of.ts';
import { createPolledFeed } from '../net/polled-feed.ts';
import { readJson } from '../net/read-body.ts';
import { newFirst, selectWhere } from '../contract/select-instruments.ts';
import { usSymbolOf } from '../shapes/us-symbols.ts';
import { mapQuotes, quotesPath, type CnbcSymbol } from './cnbc-mapper.ts';

const schema = v.object({
  ...commonFields('cnbc', { staleAfterSeconds: 1_800 }),
  ...networkFields({
    url: 'https://quote.cnbc.com',
    pollSeconds: { usual: 120, min: 60 },
    // The source marks each quote of a US share as real-time. Others are rejected.
    delayMinutes: 0,
  }),
});

type Config = v.Infer<typeof schema>;

/** US shares, ADRs and ETFs of the quote service of CNBC. */
export const cnbcType: FeedType<Config> = { type: 'cnbc', schema, create };

/** Public clients request up to 60 symbols at once. */
const symbolsPerRequest = 40;

/** Public clients name a browser, as the pages of the source do. */
const requestHeaders = {
  accept: 'application/json',
  'user-agent': 'Mozilla/5.0 (compatible; Pizarra)',
};

/** The limits of the source are not published. This is one request a second. */
const spacingMs = 1_000;

function create(config: Config, deps: FeedDeps): Feed {
  const { universe, clock } = deps;
  const calendars = new MarketCalendars(universe);
  const offered = selectWhere((one) => usSymbolOf(one) !== undefined, { universe, config });
  const symbols = newFirst(offered, deps.earlier).flatMap((instrument): readonly CnbcSymbol[] => {
    const symbol = usSymbolOf(instrument);
    const { ticker } = instrument;
    return symbol === undefined ? [] : [{ ticker, symbol, calendar: calendars.of(instrument) }];
  });
  return createPolledFeed(config, deps, {
    tickers: new Set(symbols.map(({ ticker }) => ticker)),
    closedPollSeconds: 3_600,
    spacingMs,
    requests: chunksOf(symbols, symbolsPerRequest).map((some) => ({
      request: () => ({
        url: new URL(quotesPath(some), config.url),
        headers: requestHeaders,
      }),
      map: (body) => mapQuotes(readJson(body), { symbols: some, now: clock.now() }),
    })),
  });
}
