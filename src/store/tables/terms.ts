import type { IssueTerms } from '../../domain/instruments/issue-terms.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { TermsKey } from '../contract/versioned-stores.ts';
import type { VersionedTable } from '../versioned-table.ts';

/** The terms of an issue as they were last loaded: its other classes, and a JSON object with a value for each term. */
export const termsTable: VersionedTable<IssueTerms, TermsKey> = {
  subject: 'terms',
  name: 'bond_terms',
  key: ['ticker'],
  columns: { ticker: 'text', series: 'text', terms: 'text' },
  isFirstCounted: true,
  keyOf: ({ ticker }) => [ticker],
  toRow: ({ ticker, series, values }) => [ticker, series.join(' '), JSON.stringify(values)],
  fromRow([ticker, series, terms], damaged) {
    const classes = String(series);
    const values = objectIn(String(terms));
    if (values === undefined) throw damaged(`the terms of ${String(ticker)} are not readable`);
    return {
      ticker: ticker as Ticker,
      series: classes === '' ? [] : (classes.split(' ') as Ticker[]),
      values,
    };
  },
};

/** A later version may have stored terms that this one does not know. They stay as they are. */
function objectIn(text: string): IssueTerms['values'] | undefined {
  try {
    const values: unknown = JSON.parse(text);
    return typeof values === 'object' && values !== null ? values : undefined;
  } catch {
    return undefined;
  }
}
