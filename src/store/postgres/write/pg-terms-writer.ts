import type { TermsStore } from '../../contract/terms-store.ts';
import {
  replacedTermsColumns,
  rowsOfTermsVersions,
  termsCells,
  termsColumns,
  type TermsRow,
} from '../../encoding/terms-row.ts';
import { int8Array, textArray } from '../session/binary-arrays.ts';
import type { Transactions } from '../connection/transactions.ts';
import type { Session } from '../session/session.ts';

const columns = termsColumns.join(', ');
const replacedColumns = replacedTermsColumns.join(', ');
const heldColumns = termsColumns.map((column) => `held.${column}`).join(', ');

/** Other writers wait until the transaction ends, and readers do not. So the statement sees what it replaces. */
const lockText = 'LOCK TABLE bond_terms, replaced_bond_terms IN SHARE ROW EXCLUSIVE MODE';

const recordText = `
  WITH gone AS (
    SELECT ticker FROM unnest($1::text[]) AS gone (ticker)
  ), given AS (
    SELECT * FROM unnest($2::text[], $3::text[], $4::text[]) AS given (ticker, series, terms)
  ), kept AS (
    INSERT INTO replaced_bond_terms (${replacedColumns})
    SELECT ${heldColumns}, $5::bigint, $6::text
    FROM bond_terms AS held
    LEFT JOIN gone ON gone.ticker = held.ticker
    LEFT JOIN given ON given.ticker = held.ticker
    WHERE gone.ticker IS NOT NULL OR (held.series, held.terms) <> (given.series, given.terms)
    ORDER BY held.ticker
  ), removed AS (
    DELETE FROM bond_terms AS held USING gone WHERE held.ticker = gone.ticker
    RETURNING held.ticker
  ), put AS (
    INSERT INTO bond_terms AS held (${columns})
    SELECT ticker, series, terms, $5::bigint, $6::text FROM given
    ON CONFLICT (ticker) DO UPDATE SET series = excluded.series, terms = excluded.terms,
      stored_at = excluded.stored_at, stored_by = excluded.stored_by
    WHERE (held.series, held.terms) <> (excluded.series, excluded.terms)
    RETURNING held.ticker
  ), changed AS (
    SELECT * FROM removed UNION ALL SELECT * FROM put
  )
  UPDATE revisions SET value = value + 1
  WHERE subject = 'terms' AND (value = 0 OR (SELECT count(*) FROM changed) > 0)`;

const given = '$1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[]';

const restoreTexts = {
  stored: `INSERT INTO bond_terms (${columns}) SELECT * FROM unnest(${given})`,
  replaced: `
    INSERT INTO replaced_bond_terms (${replacedColumns})
    SELECT ${replacedColumns}
    FROM unnest(${given}, $6::bigint[], $7::text[]) WITH ORDINALITY AS given (${replacedColumns}, place)
    ORDER BY place`,
  raise: `UPDATE revisions SET value = value + 1 WHERE subject = 'terms'`,
} as const;

/** Writes the terms of bonds. Each record that changes something increases their revision by one. */
export class PgTermsWriter implements Pick<TermsStore, 'record' | 'restore'> {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  async record(...[{ put, remove }, { at, origin }]: Parameters<TermsStore['record']>) {
    const cells = put.map(termsCells);
    await this.#transact(async (session) => {
      await session.query({ text: recordText }, [
        textArray(remove),
        textArray(cells.map(([ticker]) => ticker)),
        textArray(cells.map(([, series]) => series)),
        textArray(cells.map(([, , terms]) => terms)),
        at,
        origin,
      ]);
    });
  }

  async restore(versions: Parameters<TermsStore['restore']>[0]): Promise<void> {
    const { stored, replaced } = rowsOfTermsVersions(versions);
    await this.#transact(async (session) => {
      await session.query({ text: 'DELETE FROM bond_terms' });
      await session.query({ text: 'DELETE FROM replaced_bond_terms' });
      await session.query({ text: restoreTexts.stored }, columnsOf(stored));
      await session.query({ text: restoreTexts.replaced }, [
        ...columnsOf(replaced.map((row) => row.slice(0, 5) as unknown as TermsRow)),
        int8Array(replaced.map((row) => row[5])),
        textArray(replaced.map((row) => row[6])),
      ]);
      // A copy of a store without a record is one, too.
      if (versions.length > 0) await session.query({ text: restoreTexts.raise });
    });
  }

  #transact(work: (session: Session) => Promise<void>): Promise<void> {
    return this.#transactions.run(async (session) => {
      await session.query({ text: lockText });
      await work(session);
    });
  }
}

function columnsOf(rows: readonly TermsRow[]): readonly Buffer[] {
  return [
    textArray(rows.map(([ticker]) => ticker)),
    textArray(rows.map(([, series]) => series)),
    textArray(rows.map(([, , terms]) => terms)),
    int8Array(rows.map((row) => row[3])),
    textArray(rows.map((row) => row[4])),
  ];
}
