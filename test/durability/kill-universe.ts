import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { makeUniverse } from '../support/market/make-universe.ts';

/** The tickers that the pusher sends. */
export const pushedTickers = Array.from({ length: 40 }, (_, index) => `T${index}` as Ticker);

/** A derived instrument that follows the first pushed one. Its quote must always be consistent with it. */
export const aliasTicker = 'ALIAS' as Ticker;

const [source = '' as Ticker] = pushedTickers;

export const killUniverse = makeUniverse([
  ...pushedTickers.map((ticker) => ({ ticker })),
  { ticker: aliasTicker, derivation: { type: 'alias', source } },
]);

/** The instrument that {@link aliasTicker} follows. */
export const aliasSource = source;
