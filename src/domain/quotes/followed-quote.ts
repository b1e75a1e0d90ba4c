import type { PlainDate } from '../calendar/plain-date.ts';
import type { QuoteSource } from './quote.ts';
import type { ShownChanges } from './shown-changes.ts';

/**
 * What the quote of another service has beside the numbers of an update. Such an update is a whole quote:
 * a field that it does not have is absent there, and its prices have been judged there.
 */
export interface FollowedQuote {
  readonly sessionDate: PlainDate;
  /** Whether `at` of the update is the instant of the quote. If not, the quote has none. */
  readonly hasInstant: boolean;
  readonly changes: ShownChanges;
  /** The source in use there. */
  readonly source: Pick<QuoteSource, 'name' | 'delayMinutes'>;
}
