import type { Ticker } from '../../src/domain/ticker.ts';
import { makeUniverse } from '../support/make-universe.ts';

/** What the pusher speaks of. */
export const pushedTickers = Array.from({ length: 40 }, (_, index) => `T${index}` as Ticker);

/** Follows the first of them, and so must be right whenever that one is. */
export const aliasTicker = 'ALIAS' as Ticker;

const [source = '' as Ticker] = pushedTickers;

export const killUniverse = makeUniverse([
  ...pushedTickers.map((ticker) => ({ ticker })),
  { ticker: aliasTicker, derivation: { type: 'alias', source } },
]);

/** The instrument that the alias follows. */
export const aliasSource = source;
