import { ImportRefusal } from './import-refusal.ts';

/** Maximum number of entries of one archive, those of the archives within it included. */
export const archiveEntriesMax = 10_000;

/** Maximum number of bytes that one compressed file expands to, over all of its entries. */
const expandedBytesMax = 17_179_869_184;

/**
 * Maximum ratio of expanded to compressed size, judged once more than {@link ratioFreeBytes} have
 * come out. Price files shrink four to twenty times; a decompression bomb, a thousand.
 */
export const expansionRatioMax = 200;

/** How far a compressed file may expand whatever the ratio. */
export const ratioFreeBytes = 16_777_216;

/** What to do about an archive that exceeds a limit. */
export const unpackFirst = 'if the file is trusted, unpack it and import the files';

/**
 * What may still come out of one file that was named, or found in a folder: the limits apply to all
 * that is decompressed of it together, however its archives are nested. Otherwise an archive of many
 * small bombs, or of one that is entered many times, would pass limits that each entry keeps.
 */
export class ExpansionBudget {
  readonly #compressedBytes: () => number;
  #entries = 0;
  #expanded = 0;
  #spent: ImportRefusal | undefined;

  /** `compressedBytes` is the size of the file, or what has been read of a stream so far. */
  constructor(compressedBytes: () => number) {
    this.#compressedBytes = compressedBytes;
  }

  /** The limit that was exceeded; nothing more of the file is read then. */
  get spent(): ImportRefusal | undefined {
    return this.#spent;
  }

  /** @throws {ImportRefusal} `too-large` past {@link archiveEntriesMax}. */
  countEntry(): void {
    this.#entries += 1;
    if (this.#entries > archiveEntriesMax) {
      throw this.#exceed(`the archive has more than ${archiveEntriesMax} entries`);
    }
  }

  /** @throws {ImportRefusal} `too-large` past {@link expandedBytesMax} or {@link expansionRatioMax}. */
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

/** Whether bytes that came out of a decompressor are too many for those that went in. */
export function exceedsRatio(expanded: number, compressed: number): boolean {
  return expanded > Math.max(ratioFreeBytes, compressed * expansionRatioMax);
}
