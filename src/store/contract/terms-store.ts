import type { StoreChange } from '../../domain/changes/version.ts';
import type { TermsVersion } from '../../domain/history/versions.ts';
import type { IssueTerms } from '../../domain/instruments/issue-terms.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Revisioned } from './revisioned.ts';

/**
 * Stores the terms of bonds as a service last loaded them from its universe, so that their changes are kept. No figure
 * is computed from them. `StoreMemory` reads them. The revision is 0 until the first record. Every method may reject with
 * a {@link StoreFault}.
 */
export interface TermsStore extends Revisioned {
  /**
   * Adds the terms of issues, replaces those of the same ticker, and removes others, in one transaction. What is
   * replaced or removed is kept. Equal terms are no change. The first record raises the revision even if it is
   * empty. When the promise resolves, the change survives a power failure.
   *
   * @param by the instant and the origin of the change.
   */
  record(
    changes: { readonly put: readonly IssueTerms[]; readonly remove: readonly Ticker[] },
    by: StoreChange,
  ): Promise<void>;

  /**
   * Stores versions as they are, in one transaction: those of a copy. Everything that is stored already is replaced,
   * and nothing of it is kept.
   *
   * @param versions for each issue in the order in which they were stored
   */
  restore(versions: readonly TermsVersion[]): Promise<void>;
}
