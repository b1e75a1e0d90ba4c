import type { PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import type { FollowedQuote } from '../../../src/domain/quotes/followed-quote.ts';
import type { Update } from '../../../src/domain/quotes/update.ts';
import { update } from './drive-engine.ts';

/** A whole quote of another service, by default without comparisons, of `byma` with a delay of 20 minutes. */
export function followed(
  ticker: string,
  instant: number,
  said: Omit<Update, 'ticker' | 'at'>,
  quote: Partial<Omit<FollowedQuote, 'sessionDate'>> & { readonly sessionDate: string },
): Update {
  const { sessionDate, ...others } = quote;
  return update(ticker, instant, {
    ...said,
    followed: {
      sessionDate: sessionDate as PlainDate,
      hasInstant: true,
      changes: { change: null, monthToDatePct: null, yearToDatePct: null },
      source: { name: 'byma', delayMinutes: 20 },
      ...others,
    },
  });
}
