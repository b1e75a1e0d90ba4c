import type { ChangeOrigin } from '../../domain/changes/version.ts';
import type { TermsVersion } from '../../domain/history/versions.ts';
import type { IssueTerms } from '../../domain/instruments/issue-terms.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { damaged } from './damaged.ts';

/** The columns of the terms of an issue, in the order of {@link TermsRow}. */
export const termsColumns = ['ticker', 'series', 'terms', 'stored_at', 'stored_by'] as const;

/** The columns of terms that were replaced or removed, in the order of {@link ReplacedTermsRow}. */
export const replacedTermsColumns = [...termsColumns, 'replaced_at', 'replaced_by'] as const;

/** The terms of an issue as a row of the database. */
export type TermsRow = readonly [
  ticker: string,
  /** The other classes, separated by spaces. */
  series: string,
  /** A JSON object with the values. */
  terms: string,
  storedAt: number,
  storedBy: string,
];

/** Terms that were replaced or removed, as a row of the database. */
export type ReplacedTermsRow = readonly [...TermsRow, replacedAt: number, replacedBy: string];

/** The content of a row, without its change. */
export function termsCells({ ticker, series, values }: IssueTerms): [string, string, string] {
  return [ticker, series.join(' '), JSON.stringify(values)];
}

/**
 * The versions of terms from their rows: those that were replaced, in the order in which they were, and those that
 * are stored. They are ascending by ticker.
 *
 * @throws StoreFault `corrupt` when the terms of a row are not an object of JSON.
 */
export function termsVersions(
  path: string,
  rows: { readonly stored: readonly TermsRow[]; readonly replaced: readonly ReplacedTermsRow[] },
): readonly TermsVersion[] {
  const versionOf = (row: TermsRow | ReplacedTermsRow): TermsVersion => {
    const [ticker, series, terms, storedAt, storedBy, replacedAt, replacedBy] = row;
    return {
      value: {
        ticker: ticker as Ticker,
        series: series === '' ? [] : series.split(' ').map((one) => one as Ticker),
        values: valuesIn(terms, () => damaged(path, `the terms of ${ticker} are not readable`)),
      },
      stored: { at: storedAt, origin: storedBy as ChangeOrigin },
      ...(replacedAt === undefined
        ? {}
        : { replaced: { at: replacedAt, origin: replacedBy as ChangeOrigin } }),
    };
  };
  // Sorting is stable, so the versions of one issue stay in their order.
  return [...rows.replaced, ...rows.stored]
    .map(versionOf)
    .sort((a, b) => Buffer.compare(Buffer.from(a.value.ticker), Buffer.from(b.value.ticker)));
}

/** The rows of versions: of those that are stored, and of those that were replaced. */
export function rowsOfTermsVersions(versions: readonly TermsVersion[]): {
  readonly stored: readonly TermsRow[];
  readonly replaced: readonly ReplacedTermsRow[];
} {
  const stored: TermsRow[] = [];
  const replaced: ReplacedTermsRow[] = [];
  for (const { value, stored: begin, replaced: end } of versions) {
    const row: TermsRow = [...termsCells(value), begin.at, begin.origin];
    if (end === undefined) stored.push(row);
    else replaced.push([...row, end.at, end.origin]);
  }
  return { stored, replaced };
}

/** A later version may have stored terms that this one does not know. They stay as they are. */
function valuesIn(text: string, fault: () => Error): IssueTerms['values'] {
  try {
    const values: unknown = JSON.parse(text);
    if (typeof values === 'object' && values !== null) return values;
  } catch {
    // The fault says more than that of the parser.
  }
  throw fault();
}
