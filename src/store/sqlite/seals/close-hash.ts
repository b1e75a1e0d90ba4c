import { addHash, hashNumbers, hashText, removeHash } from './row-hash.ts';

/** Days of a block. A block of a series is read and verified as a whole. */
const blockDaysLog2 = 6;

/** The block of a day. */
export function blockOf(day: number): number {
  return day >> blockDaysLog2;
}

/** The first day of a block. */
export function firstDayOf(block: number): number {
  return block * 2 ** blockDaysLog2;
}

/** The last day of a block. */
export function lastDayOf(block: number): number {
  return firstDayOf(block + 1) - 1;
}

/** What is known of the closes of one block, apart from the closes: their number and sums of their hashes. */
export interface CloseSeal {
  rows: number;
  /** Over day, close and volume. */
  prices: number;
  /** Over day, open, high, low, source and the id of the change. */
  rest: number;
  /** The number of closes that others have replaced, and the sum of their hashes. */
  replacedRows: number;
  replaced: number;
}

/** The fields of a close that are sealed. */
export interface SealedClose {
  readonly day: number;
  readonly close: number;
  readonly volume: number | null;
  readonly open?: number | null | undefined;
  readonly high?: number | null | undefined;
  readonly low?: number | null | undefined;
  readonly source?: string | null | undefined;
  /** The id of the change that stored it. */
  readonly change: number;
}

/** A close that another one has replaced. */
export interface SealedReplacedClose extends SealedClose {
  readonly position: number;
  readonly replacedBy: number;
}

/** A seal of no closes. */
export function emptySeal(): CloseSeal {
  return { rows: 0, prices: 0, rest: 0, replacedRows: 0, replaced: 0 };
}

/** The hash of the fields that a series has. */
export function hashOfPrices(day: number, close: number, volume: number | null): number {
  return hashNumbers(day, close, volume);
}

/** Computes the hash of the other fields. It caches the hashes of the names of sources. */
export class RestHash {
  readonly #sources = new Map<string, number>();

  of({ day, open, high, low, source, change }: Omit<SealedClose, 'close' | 'volume'>): number {
    const ofSource = this.#sourceHash(source ?? undefined);
    return hashNumbers(day, open, high, low, ofSource, change);
  }

  /** The hash of a close that another one has replaced. */
  ofReplaced(one: SealedReplacedClose): number {
    return hashNumbers(
      hashOfPrices(one.day, one.close, one.volume),
      this.of(one),
      one.position,
      one.replacedBy,
    );
  }

  #sourceHash(source: string | undefined): number | undefined {
    if (source === undefined) return undefined;
    const known = this.#sources.get(source);
    if (known !== undefined) return known;
    if (this.#sources.size >= sourcesMax) this.#sources.clear();
    const hash = hashText(source);
    this.#sources.set(source, hash);
    return hash;
  }
}

/** Maximum number of cached sources. */
const sourcesMax = 1_000;

/** Adds a close to a seal. */
export function addClose(seal: CloseSeal, rest: RestHash, one: SealedClose): void {
  seal.rows += 1;
  seal.prices = addHash(seal.prices, hashOfPrices(one.day, one.close, one.volume));
  seal.rest = addHash(seal.rest, rest.of(one));
}

/** Takes a close out of a seal. */
export function removeClose(seal: CloseSeal, rest: RestHash, one: SealedClose): void {
  seal.rows -= 1;
  seal.prices = removeHash(seal.prices, hashOfPrices(one.day, one.close, one.volume));
  seal.rest = removeHash(seal.rest, rest.of(one));
}

/** Adds a close that another one has replaced. */
export function addReplaced(seal: CloseSeal, rest: RestHash, one: SealedReplacedClose): void {
  seal.replacedRows += 1;
  seal.replaced = addHash(seal.replaced, rest.ofReplaced(one));
}

/** Takes out a close that another one has replaced. */
export function removeReplaced(seal: CloseSeal, rest: RestHash, one: SealedReplacedClose): void {
  seal.replacedRows -= 1;
  seal.replaced = removeHash(seal.replaced, rest.ofReplaced(one));
}
