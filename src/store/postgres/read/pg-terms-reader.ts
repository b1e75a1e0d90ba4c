import type { TermsVersion } from '../../../domain/history/versions.ts';
import type { TermsStore } from '../../contract/terms-store.ts';
import {
  replacedTermsColumns,
  termsColumns,
  termsVersions,
  type ReplacedTermsRow,
  type TermsRow,
} from '../../encoding/terms-row.ts';
import type { Link } from '../connection/link.ts';
import type { Heads } from '../watch/heads.ts';
import { readRevision } from './read-revision.ts';

/** Reads the terms of bonds with their memory. */
export class PgTermsReader implements Pick<TermsStore, 'revision'> {
  readonly #link: Link;
  readonly #heads: Heads;

  constructor(link: Link, heads: Heads) {
    this.#link = link;
    this.#heads = heads;
  }

  async revision(): Promise<number> {
    return this.#heads.current('terms') ?? readRevision(this.#link, 'terms');
  }

  /** As `StoreMemory.readTerms`. */
  async readVersions(): Promise<readonly TermsVersion[]> {
    // One statement reads both tables as of one instant.
    const rows = await this.#link.query<ReplacedTermsRow>({
      name: 'terms-versions',
      text: `
        SELECT ${replacedTermsColumns.join(', ')} FROM (
          SELECT ${replacedTermsColumns.join(', ')}, position FROM replaced_bond_terms
          UNION ALL SELECT ${termsColumns.join(', ')}, NULL, NULL, NULL FROM bond_terms
        ) AS versions ORDER BY position NULLS LAST`,
    });
    return termsVersions(this.#link.where, {
      stored: rows
        .filter((row) => !isReplaced(row))
        .map((row) => row.slice(0, termsColumns.length) as unknown as TermsRow),
      replaced: rows.filter(isReplaced),
    });
  }
}

/** Whether a row has the instant at which its terms were replaced. */
function isReplaced(row: readonly unknown[]): boolean {
  return row[termsColumns.length] !== null;
}
