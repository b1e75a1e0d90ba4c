import type { StoreChange } from '../../domain/changes/version.ts';
import type { IndexName } from '../../domain/indices/index-name.ts';
import type {
  IndexValue,
  ReplacedIndexValue,
  StoredIndexValue,
} from '../../domain/indices/index-value.ts';
import type { Revisioned } from './revisioned.ts';

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
