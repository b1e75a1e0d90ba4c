import { ImportRefusal } from '../refusals/import-refusal.ts';

/** Maximum number of entries in an archive, including those of the archives inside it. */
export const archiveEntriesMax = 10_000;

/** Maximum expanded size of a compressed file, over all its entries. */
const expandedBytesMax = 17_179_869_184;

/**
 * Maximum ratio of expanded to compressed size. It applies once more than {@link ratioFreeBytes}
 * have been expanded. Price files have ratios of four to twenty, a decompression bomb of a
 * thousand.
 */
export const expansionRatioMax = 200;

/** Expanded size up to which the ratio is not checked. */
export const ratioFreeBytes = 16_777_216;

/** Advice for an archive that exceeds a limit. */
export const unpackFirst = 'if the file is trusted, unpack it and import the files';

/**
 * The limits for one file that was named or found in a folder. They apply to everything that is
 * decompressed from it, however its archives are nested. Limits per entry would not be enough: many
 * small bombs, or one that is referenced many times, could each stay below them.
 */
export class ExpansionBudget {
  readonly #compressedBytes: () => number;
  #entries = 0;
  #expanded = 0;
  #spent: ImportRefusal | undefined;

  /** `compressedBytes` returns the size of the file, or for a stream the bytes read so far. */
  constructor(compressedBytes: () => number) {
    this.#compressedBytes = compressedBytes;
  }

  /** The refusal for the limit that was exceeded. The rest of the file is then not read. */
  get spent(): ImportRefusal | undefined {
    return this.#spent;
  }

  /** @throws {ImportRefusal} `too-large` beyond {@link archiveEntriesMax}. */
  countEntry(): void {
    this.#entries += 1;
    if (this.#entries > archiveEntriesMax) {
      throw this.#exceed(`the archive has more than ${archiveEntriesMax} entries`);
    }
  }

  /**
   * @throws {ImportRefusal} `too-large` beyond {@link expandedBytesMax} or
   *   {@link expansionRatioMax}.
   */
  countExpanded(bytes: number): void {
    this.#expanded += bytes;
    if (this.#expanded > expandedBytesMax) {
      throw this.#exceed(`the file expands to more than ${expandedBytesMax} bytes`);
    }
    if (exceedsRatio(this.#expanded, this.#compressedBytes())) {
      throw this.#exceed(`the file expands to more than ${expansionRatioMax} times its size`);
    }
  }

  #exceed(what: string): ImportRefusal {
    this.#spent = new ImportRefusal('too-large', `${what}; ${unpackFirst}`);
    return this.#spent;
  }
}

/** Whether the ratio of expanded to compressed bytes exceeds the limit. */
export function exceedsRatio(expanded: number, compressed: number): boolean {
  return expanded > Math.max(ratioFreeBytes, compressed * expansionRatioMax);
}
