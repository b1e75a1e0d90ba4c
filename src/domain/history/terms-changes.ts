import type { EpochDay } from '../calendar/plain-date.ts';
import { termsFields, type IssueTerms } from '../instruments/issue-terms.ts';
import type { Ticker } from '../instruments/ticker.ts';
import {
  differences,
  firstOfEach,
  replacements,
  valueOf,
  type FieldChange,
} from './field-changes.ts';
import type { TermsVersion } from './versions.ts';

/** The terms whose changes are listed. Their sources, and the day of their last check, change no figure. */
const listed = termsFields.filter((field) => field !== 'termsSources' && field !== 'termsReviewed');

/**
 * The changes of the terms of an instrument, which may be any class of an issue: one for each term that differs. An
 * issue that gets terms, and a class that is added to an issue, are changes, because they give figures to an instrument
 * that had none. Terms that the store recorded first are not.
 *
 * @param versions for each issue in the order in which they were stored
 * @param dayOf the day of an instant: terms have no day of their own
 * @param earlier the tickers that the instrument had before. A change of the ticker alone changes no term
 */
export function termsChanges(
  versions: readonly TermsVersion[],
  ticker: Ticker,
  dayOf: (instant: number) => EpochDay,
  earlier: readonly Ticker[] = [],
): readonly FieldChange[] {
  const names = new Set([ticker, ...earlier]);
  const own = versions.filter(({ value }) => classesOf(value).some((one) => names.has(one)));
  const isOfOneIssue = own.every(({ value }) => value.ticker === own[0]?.value.ticker);
  // A class may move to another issue, and a ticker may change. Only the instants tell in which order it was a class of both.
  const ordered = isOfOneIssue ? own : own.toSorted((a, b) => a.stored.at - b.stored.at);
  const one = (): Ticker => ticker;
  const added = firstOfEach(ordered, one)
    .filter(({ stored }) => stored.origin !== 'unknown')
    .map(({ value, stored }) => ({ by: stored, before: undefined, after: value }));
  return [...added, ...replacements(ordered, one)].flatMap((change) => {
    const { by } = change;
    const { termsSources } = valueOf(change).values;
    const source = termsSources === undefined ? undefined : String(termsSources);
    return listed.flatMap((field) =>
      differences(
        { by, day: dayOf(by.at), source, field },
        change,
        ({ values }) => values[field] ?? null,
      ),
    );
  });
}

/** The tickers of all classes of an issue whose terms were recorded. */
export function classesOf({ ticker, series }: IssueTerms): readonly Ticker[] {
  return [ticker, ...series];
}
