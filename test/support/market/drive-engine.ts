import type { Quote } from '../../../src/domain/quotes/quote.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { Update } from '../../../src/domain/quotes/update.ts';
import type { Engine, Outcome } from '../../../src/engine/engine.ts';
import type { ChangeSet } from '../../../src/engine/change-set.ts';

/** The epoch milliseconds of a Buenos Aires date and time. */
export function at(date: string, time: string): number {
  return Date.parse(`${date}T${time}:00-03:00`);
}

/** An update of an instrument at an instant. */
export function update(
  ticker: string,
  instant: number,
  said: Omit<Update, 'ticker' | 'at'>,
): Update {
  return { ticker: ticker as Ticker, at: instant, ...said };
}

/** Applies one update, with its own instant as the current time. */
export function apply(
  engine: Engine,
  one: Update,
): ChangeSet & { readonly outcome: Outcome | undefined } {
  const { outcomes, ...turn } = engine.apply([one], one.at);
  return { ...turn, outcome: outcomes[0] };
}

/** The latest quote of an instrument. */
export function latest(engine: Engine, ticker: string): Quote | undefined {
  return engine.quotes().find((quote) => quote.instrument.ticker === ticker);
}
