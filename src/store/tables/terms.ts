import type { IssueTerms } from '../../domain/instruments/issue-terms.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { TermsStore } from '../contract/versioned-stores.ts';
import type { Reader, Writer } from '../sql/sql.ts';
import { VersionedReader, VersionedWriter, type VersionedTable } from '../versioned-table.ts';

/** The terms of an issue as they were last loaded: its other classes, and a JSON object with a value for each term. */
export const termsTable: VersionedTable<IssueTerms> = {
  subject: 'terms',
  name: 'bond_terms',
  key: ['ticker'],
  columns: { ticker: 'text', series: 'text', terms: 'text' },
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

export function termsReader(sql: Reader): Pick<TermsStore, 'revision'> {
  const table = new VersionedReader(sql, termsTable);
  return { revision: () => table.revision() };
}

export function termsWriter(sql: Writer): Pick<TermsStore, 'record' | 'restore'> {
  const table = new VersionedWriter(sql, termsTable);
  return {
    record: async ({ put, remove }, by) => {
      const gone = remove.map((ticker) => [ticker]);
      await table.apply({ put, remove: gone }, by, { isFirstCounted: true });
    },
    restore: (versions) => table.restore(versions),
  };
}
