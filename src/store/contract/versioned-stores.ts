import type { EndedVersion, StoreChange, Version } from '../../domain/changes/version.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { CloseVersion } from '../../domain/history/versions.ts';
import type { IndexValue } from '../../domain/indices/index-value.ts';
import type { IssueTerms } from '../../domain/instruments/issue-terms.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { DayRange } from './history-store.ts';

/** A part of a store that counts its changes. */
export interface Revisioned {
  /**
   * The current revision. It rises with each commit that changed something in this part, by any process. The call is
   * cheap, so it may be made several times a second.
   */
  revision(): Promise<number>;
}

/** What a change has made of one key: the value that was put or removed, and what was stored before. */
export interface Changed<T> {
  readonly value: T;
  readonly before?: EndedVersion<T>;
}

/**
 * Stores values that have a key, with what replaced them. They are few, and read as a whole. Every method may reject with
 * a {@link StoreFault}.
 */
export interface VersionedStore<T, Key = T> extends Revisioned {
  /** All values, ascending by key, and the revision that they are of. */
  readAll(): Promise<{ readonly revision: number; readonly values: readonly T[] }>;

  /** Everything that is or was stored, ascending by key, and for each key in the order in which it was stored. */
  readVersions(): Promise<readonly Version<T>[]>;

  /** What was replaced or removed, in the same order. */
  readReplaced(): Promise<readonly EndedVersion<T>[]>;

  /**
   * Adds values, replaces those of the same key, and removes others, in one transaction. When the promise resolves, the
   * change survives a power failure. An equal value is not a change. Of several values of one key, the last one is
   * stored. No key may be in both lists. What is replaced or removed is kept.
   *
   * @param by the instant and the origin of the change.
   * @returns what has changed, in the order given, removals first
   * @throws RangeError when a value cannot be stored. Nothing is stored then.
   */
  apply(
    change: { readonly put?: readonly T[]; readonly remove?: readonly Key[] },
    by: StoreChange,
  ): Promise<readonly Changed<T>[]>;

  /**
   * Stores the versions of a copy as they are, in one transaction. They replace everything that is stored already, of
   * which no version is kept.
   *
   * @param versions for each key in the order in which they were stored
   */
  restore(versions: readonly Version<T>[]): Promise<void>;
}

/** What names one corporate action. */
export type ActionKey = Pick<CorporateAction, 'ticker' | 'exDay' | 'type'>;

/** Stores corporate actions. */
export type ActionStore = VersionedStore<CorporateAction, ActionKey>;

/** What names the value of an index. */
export type IndexKey = Pick<IndexValue, 'index' | 'day'>;

/**
 * Stores the daily values of indices. Unlike a close, a value may be of a future day. A value with the same number is not
 * a change, whatever its source.
 */
export type IndexStore = VersionedStore<IndexValue, IndexKey>;

/** What names the terms of an issue. */
export type TermsKey = Pick<IssueTerms, 'ticker'>;

/**
 * Stores the terms of bonds as a service last loaded them from its universe, so that their changes are kept. No figure
 * is computed from them. The first change raises the revision even if it is empty, so a revision of 0 says that none was
 * recorded.
 */
export type TermsStore = VersionedStore<IssueTerms, TermsKey>;

/**
 * Reads the closes and what they replaced, with the changes that did so. Every method may reject with a
 * {@link StoreFault}.
 */
export interface StoreMemory {
  /**
   * The versions of the closes of one instrument in a range of days, ascending by day, and for each day in
   * the order in which they were stored.
   */
  readCloses(ticker: Ticker, range: DayRange): Promise<readonly CloseVersion[]>;

  /**
   * The number of closes of each of these instruments in a range that were stored at an instant, in epoch milliseconds.
   * Where a clock was set back, the number is about right.
   */
  countCloses(
    tickers: readonly Ticker[],
    range: DayRange,
    instant: number,
  ): Promise<readonly number[]>;

  /**
   * The first instant at which a close of the instrument was stored, as far as it is known, in epoch
   * milliseconds. Undefined without closes.
   */
  knownSince(ticker: Ticker): Promise<number | undefined>;

  /** The instant at which the store was created, in epoch milliseconds: nothing is known about the time before it. */
  began(): Promise<number>;
}
