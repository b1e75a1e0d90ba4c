import type { ActionType, CorporateAction } from '../../domain/history/corporate-action.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { StoreChange } from '../../domain/changes/version.ts';
import type { ActionVersion, TermsVersion, CloseVersion } from '../../domain/history/versions.ts';
import type { IndexName } from '../../domain/indices/index-name.ts';
import type {
  IndexValue,
  ReplacedIndexValue,
  StoredIndexValue,
} from '../../domain/indices/index-value.ts';
import type { IssueTerms } from '../../domain/instruments/issue-terms.ts';
import type { DayRange } from './history-store.ts';

/** A part of a store that counts its changes. */
export interface Revisioned {
  /**
   * The current revision. It rises with each commit that changed something in this part, by any process. The call is
   * cheap, so it may be made several times a second.
   */
  revision(): Promise<number>;
}

/** What names one corporate action. */
interface ActionKey {
  readonly ticker: Ticker;
  readonly exDay: EpochDay;
  readonly type: ActionType;
}

/** Stores corporate actions. Every method may reject with a {@link StoreFault}. */
export interface ActionStore extends Revisioned {
  /** All actions, ascending by ticker, ex date and type, and the revision that they are of. */
  readAll(): Promise<{ readonly revision: number; readonly actions: readonly CorporateAction[] }>;

  /**
   * Adds actions, replaces those of the same key, and removes others, in one transaction. When the
   * promise resolves, the change survives a power failure. An equal action is not a change. No key may
   * be in both lists. What is replaced or removed is kept ({@link StoreMemory}).
   *
   * @param by the instant and the origin of the change.
   * @returns the keys whose actions have changed
   */
  apply(
    change: {
      readonly put: readonly CorporateAction[];
      readonly remove: readonly ActionKey[];
    },
    by: StoreChange,
  ): Promise<readonly ActionKey[]>;

  /**
   * Stores all actions as they are, with their memory, in one transaction: those of a copy. What is stored
   * already is replaced, and nothing of it is kept.
   */
  restore(versions: readonly ActionVersion[]): Promise<void>;
}

/** What a put has changed. */
interface IndexPut {
  /** The values of days that had none. */
  readonly added: number;
  /** The values that differed from the stored ones, with what they have replaced, in the order given. */
  readonly replaced: readonly ReplacedIndexValue[];
}

/**
 * Stores the daily values of indices, beside the closes: a value may be of a day to come. Every method may
 * reject with a {@link StoreFault}.
 */
export interface IndexStore extends Revisioned {
  /** All values, ascending by index and day, and the revision that they are of. */
  readAll(): Promise<{ readonly revision: number; readonly values: readonly StoredIndexValue[] }>;

  /**
   * The values that others have replaced, of one index or of all, ascending by index, day and the instant
   * of the replacement.
   */
  readReplaced(index?: IndexName): Promise<readonly ReplacedIndexValue[]>;

  /**
   * Adds values, and replaces those of the same index and day, in one transaction. A value that is
   * replaced is kept, with its source and its instant. A value with the same number is not a change,
   * whatever its source. Of several values of one index and day, the last one is stored. When the promise
   * resolves, the change survives a power failure.
   *
   * @param by the instant and the origin of the change.
   * @throws RangeError when a value is outside the range of its index. Nothing is stored then.
   */
  put(values: readonly IndexValue[], by: StoreChange): Promise<IndexPut>;

  /**
   * Adds values and replaced values as they are, in one transaction: those of a copy. What is stored
   * already is replaced by what is given, and nothing of it is kept.
   */
  restore(content: {
    readonly values: readonly StoredIndexValue[];
    readonly replaced: readonly ReplacedIndexValue[];
  }): Promise<void>;
}

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

/**
 * Reads what is stored and what it replaced, with the changes that did so. Every method may reject with a
 * {@link StoreFault}. The memory of indices is in `IndexStore`.
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
   * The versions of all corporate actions, ascending by ticker, ex date and type, and for each of them in the order
   * in which they were stored.
   */
  readActions(): Promise<readonly ActionVersion[]>;

  /**
   * The versions of the terms of all issues, ascending by ticker, and for each issue in the order in which they were
   * stored.
   */
  readTerms(): Promise<readonly TermsVersion[]>;

  /**
   * The first instant at which a close of the instrument was stored, as far as it is known, in epoch
   * milliseconds. Undefined without closes.
   */
  knownSince(ticker: Ticker): Promise<number | undefined>;

  /** The instant at which the store was created, in epoch milliseconds: nothing is known about the time before it. */
  began(): Promise<number>;
}
