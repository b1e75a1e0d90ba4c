import { Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { fromBufferPromise, openPromise } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { ImportRefusal } from './import-refusal.ts';

/** Archives within archives that are opened; a quine of a zip holds itself without end. */
export const nestingMax = 3;

/** Most entries of one archive. */
export const archiveEntriesMax = 10_000;

/** Most bytes that one compressed file may become. */
const expandedBytesMax = 17_179_869_184;

/**
 * How many times larger a compressed file may become, once it is larger than
 * {@link ratioFreeBytes}. Price files shrink four to twenty times; a decompression bomb, a thousand.
 */
export const expansionRatioMax = 200;

/** What a compressed file may become whatever the ratio. */
export const ratioFreeBytes = 16_777_216;

/** Largest archive that is held in memory: from standard input, or within another one. */
const archiveHeldBytesMax = 268_435_456;

/** How much comes out of a gzip at a time. */
const expandedChunkBytes = 262_144;

/** How many bytes tell what a container is. */
const magicBytes = 4;

/** A stream of bytes with a name; of a size that is known or not. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly sizeBytes?: number;
  /** The file's place on disk, when it is a file: an archive is then read in place. */
  readonly path?: string;
}

/** A file that is no container, or the reason why one cannot be opened. */
export type Leaf =
  | (NamedBytes & { readonly type: 'bytes' })
  | { readonly type: 'refused'; readonly name: string; readonly refusal: ImportRefusal };

/**
 * The files within a file: itself, or what a gzip or a zip holds, however nested. What a container
 * is, its first bytes say and not its name. Each leaf must be read before the next is asked for.
 */
export async function* leavesOf(file: NamedBytes, depth = 0): AsyncGenerator<Leaf> {
  const { start, bytes, close } = peek(file.bytes);
  try {
    const first = await start();
    const isContainer = isGzip(first) || isZip(first);
    if (depth >= nestingMax && isContainer) {
      throw new ImportRefusal('too-large', `archives are nested more than ${nestingMax} deep`);
    }
    if (isGzip(first)) yield* leavesOf(gunzipped({ ...file, bytes }), depth + 1);
    else if (isZip(first)) yield* entriesOf({ ...file, bytes }, depth + 1);
    else yield { ...file, bytes, type: 'bytes' };
  } catch (error) {
    yield { type: 'refused', name: file.name, refusal: asRefusal(error) };
  } finally {
    await close();
  }
}

/** What went wrong with bytes, as a refusal of the file that they are of. */
export function asRefusal(error: unknown): ImportRefusal {
  if (error instanceof ImportRefusal) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new ImportRefusal('unreadable', `cannot be read: ${detail}`, { cause: error });
}

function isGzip(start: Uint8Array): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}

function isZip(start: Uint8Array): boolean {
  // A local file header, or the end record that an empty archive begins with.
  const isLocal = start[2] === 0x03 && start[3] === 0x04;
  const isEmpty = start[2] === 0x05 && start[3] === 0x06;
  return start[0] === 0x50 && start[1] === 0x4b && (isLocal || isEmpty);
}

function gunzipped(file: NamedBytes): NamedBytes {
  const counted = { bytes: 0 };
  const gunzip = createGunzip({ chunkSize: expandedChunkBytes });
  // Whoever reads the other end meets the error there; here it would only be met twice.
  pipeline(Readable.from(countBytes(file.bytes, counted), { objectMode: false }), gunzip, () => {});
  const name = file.name.replace(/\.gz$/i, '');
  return { name, bytes: guarded(gunzip, () => counted.bytes) };
}

async function* entriesOf(file: NamedBytes, depth: number): AsyncGenerator<Leaf> {
  const archive = await openArchive(file);
  try {
    let count = 0;
    for await (const entry of archive.eachEntry()) {
      count += 1;
      if (count > archiveEntriesMax) {
        throw new ImportRefusal('too-large', `more than ${archiveEntriesMax} entries`);
      }
      if (!entry.fileName.endsWith('/')) yield* leavesOf(namedEntry(file, archive, entry), depth);
    }
  } finally {
    archive.close();
  }
}

function namedEntry(file: NamedBytes, archive: ZipFile, entry: Entry): NamedBytes {
  const bytes = guarded(readEntry(archive, entry), () => entry.compressedSize);
  return { name: `${file.name}/${entry.fileName}`, bytes, sizeBytes: entry.uncompressedSize };
}

async function* readEntry(archive: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  yield* await archive.openReadStreamPromise(entry);
}

async function openArchive(file: NamedBytes): Promise<ZipFile> {
  const options = { autoClose: false, lazyEntries: true };
  if (file.path !== undefined) return openPromise(file.path, options);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of file.bytes) {
    parts.push(part);
    length += part.length;
    if (length > archiveHeldBytesMax) {
      throw new ImportRefusal(
        'too-large',
        `a zip that is not a file, over ${archiveHeldBytesMax} bytes`,
      );
    }
  }
  return fromBufferPromise(Buffer.concat(parts), options);
}

/** Bytes that come out of a decompressor, refused when they become too many. */
async function* guarded(
  bytes: AsyncIterable<Uint8Array>,
  compressedBytes: () => number,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    const allowed = Math.max(ratioFreeBytes, compressedBytes() * expansionRatioMax);
    if (length > Math.min(allowed, expandedBytesMax)) {
      throw new ImportRefusal(
        'too-large',
        `expands to more than ${expansionRatioMax} times its size or ${expandedBytesMax} bytes`,
      );
    }
    yield chunk;
  }
}

async function* countBytes(
  bytes: AsyncIterable<Uint8Array>,
  counted: { bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    counted.bytes += chunk.length;
    yield chunk;
  }
}

/** The first bytes of a stream, all of them again, and a way to stop before they were read. */
function peek(source: AsyncIterable<Uint8Array>): {
  readonly start: () => Promise<Uint8Array>;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly close: () => Promise<void>;
} {
  const iterator = source[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  async function start(): Promise<Uint8Array> {
    let length = 0;
    while (length < magicBytes) {
      const { done, value } = await iterator.next();
      if (done === true) break;
      held.push(value);
      length += value.length;
    }
    return Buffer.concat(held).subarray(0, magicBytes);
  }
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (let one = held.shift(); one !== undefined; one = held.shift()) yield one;
    for (;;) {
      const { done, value } = await iterator.next();
      if (done === true) return;
      yield value;
    }
  }
  const close = async () => void (await iterator.return?.());
  return { start, bytes: bytes(), close };
}
