import { pipeline } from 'node:stream';
import { getSystemErrorMessage } from 'node:util';
import { createGunzip } from 'node:zlib';
import {
  fromBufferPromise,
  getFileNameLowLevel,
  openPromise,
  type Entry,
  type ZipFile,
} from 'yauzl';
import {
  ExpansionBudget,
  archiveEntriesMax,
  exceedsRatio,
  expansionRatioMax,
  unpackFirst,
} from './expansion-budget.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { counted, startingWith } from './streams.ts';
import { sheetAsCsv, workbookPart } from './workbook/open-workbook.ts';

/** Maximum depth of nested archives. Without it, a zip that contains itself would never end. */
export const nestingMax = 3;

/** Maximum size of an archive in memory: one on standard input or inside another archive. */
const archiveHeldBytesMax = 268_435_456;

/** Size of the chunks in which a gzip is decompressed. */
const expandedChunkBytes = 262_144;

/** Number of bytes that identify a container. */
const magicBytes = 4;

/** A stream of bytes with a name. Its size may be unknown. */
interface NamedBytes {
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly sizeBytes?: number;
  /** The path of a file on disk. An archive on disk is read in place. */
  readonly path?: string;
  /** Whether the bytes are a sheet of a workbook, as CSV with commas and decimal points. */
  readonly isSheet?: boolean;
}

/**
 * A file that is not a container, or the reason why a file is refused or skipped. `origin` is the name
 * of the outermost container, or of the file itself.
 */
export type Leaf =
  | (NamedBytes & { readonly type: 'bytes'; readonly origin: string })
  | { readonly type: 'refused'; readonly name: string; readonly refusal: ImportRefusal }
  | { readonly type: 'skipped'; readonly name: string; readonly reason: string };

/**
 * The files in a file: the file itself, or the contents of a gzip or a zip, also when nested. A
 * container is recognised by its first bytes, not by its name. A workbook of Excel, which is a zip, is one
 * leaf: the sheet that `sheet` names, or its only one. Each leaf must be read before the next one is
 * requested.
 */
export async function* leavesOf(file: NamedBytes, sheet?: string): AsyncGenerator<Leaf> {
  const read = { length: 0 };
  const budget = new ExpansionBudget(() => file.sizeBytes ?? read.length);
  const outer = { ...file, bytes: counted(file.bytes, read), origin: file.name, sheet };
  yield* leavesWithin(outer, 0, budget);
}

/** A file, the outermost file that contains it, and the sheet that the operator wants of workbooks. */
type ContainedBytes = NamedBytes & {
  readonly origin: string;
  readonly sheet: string | undefined;
};

async function* leavesWithin(
  file: ContainedBytes,
  depth: number,
  budget: ExpansionBudget,
): AsyncGenerator<Leaf> {
  const { start, bytes, close } = peek(file.bytes);
  try {
    const first = await start();
    refuseUnread(first);
    const isContainer = isGzip(first) || isZip(first);
    if (depth >= nestingMax && isContainer) {
      throw new ImportRefusal(
        'too-large',
        `archives are nested more than ${nestingMax} deep; ${unpackFirst}`,
      );
    }
    if (isGzip(first)) {
      yield* leavesWithin(gunzipped({ ...file, bytes }, budget), depth + 1, budget);
    } else if (isZip(first)) yield* entriesOf({ ...file, bytes }, depth + 1, budget);
    else {
      const { sheet: _, ...leaf } = file;
      yield { ...leaf, bytes, type: 'bytes' };
    }
  } catch (error) {
    yield { type: 'refused', name: file.name, refusal: asRefusal(error) };
  } finally {
    await close();
  }
}

/** Turns an error that occurred while reading a file into a refusal of the file. */
export function asRefusal(error: unknown): ImportRefusal {
  if (error instanceof ImportRefusal) return error;
  const { errno } = Object(error) as NodeJS.ErrnoException;
  const known = errno === undefined ? undefined : getSystemErrorMessage(errno);
  const detail = known ?? (error instanceof Error ? error.message : String(error));
  return new ImportRefusal('unreadable', `cannot be read: ${detail}`, undefined, { cause: error });
}

/** Refuses formats that are known by their first bytes and cannot be read. */
function refuseUnread(start: Uint8Array): void {
  const magic = Buffer.from(start).toString('latin1');
  if (magic === 'PAR1') {
    throw new ImportRefusal(
      'not-prices',
      'this is a Parquet file; convert it to CSV, such as with DuckDB: ' +
        "COPY (FROM 'FILE.parquet') TO 'FILE.csv'",
    );
  }
  if (magic === '\xd0\xcf\x11\xe0') {
    throw new ImportRefusal(
      'not-prices',
      'this is a workbook of Excel 97 (.xls), or one with a password; save it as .xlsx without a ' +
        'password, or as CSV',
    );
  }
}

function isGzip(start: Uint8Array): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}

function isZip(start: Uint8Array): boolean {
  // Either a local file header, or the end record with which an empty archive begins.
  const isLocal = start[2] === 0x03 && start[3] === 0x04;
  const isEmpty = start[2] === 0x05 && start[3] === 0x06;
  return start[0] === 0x50 && start[1] === 0x4b && (isLocal || isEmpty);
}

function gunzipped(file: ContainedBytes, budget: ExpansionBudget): ContainedBytes {
  const read = { length: 0 };
  const gunzip = createGunzip({ chunkSize: expandedChunkBytes });
  // The reader of the decompressed bytes receives the error, so the callback ignores it.
  pipeline(counted(file.bytes, read), gunzip, () => {});
  const name = file.name.replace(/\.gz$/i, '');
  const { origin, sheet } = file;
  return { name, bytes: guarded(gunzip, () => read.length, budget), origin, sheet };
}

async function* entriesOf(
  file: ContainedBytes,
  depth: number,
  budget: ExpansionBudget,
): AsyncGenerator<Leaf> {
  const archive = await openArchive(file);
  try {
    const entries = await listEntries(archive);
    if (isWorkbook(entries)) {
      yield await sheetOf(file, archive, entries, budget);
      return;
    }
    for (const entry of entries) {
      budget.countEntry();
      const path = nameOfEntry(entry);
      const name = `${file.name}/${path}`;
      if (path.endsWith('/')) continue;
      if (isSymbolicLink(entry)) yield { type: 'skipped', name, reason: 'it is a symbolic link' };
      else {
        const named = namedEntry(name, archive, entry, budget);
        const { origin, sheet } = file;
        yield* leavesWithin({ ...named, origin, sheet }, depth, budget);
      }
      if (budget.spent !== undefined) {
        throw new ImportRefusal('too-large', notReadAfter(path, budget.spent));
      }
    }
  } finally {
    archive.close();
  }
}

/** The entries of an archive, up to the first one that is too many. */
async function listEntries(archive: ZipFile): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of archive.eachEntry()) {
    entries.push(entry);
    if (entries.length > archiveEntriesMax) break;
  }
  return entries;
}

/**
 * Whether entries are of a workbook of Excel.
 *
 * @throws {ImportRefusal} for a workbook of another format.
 */
function isWorkbook(entries: readonly Entry[]): boolean {
  const names = new Set(entries.map(nameOfEntry));
  if (names.has('xl/workbook.bin') || (names.has('mimetype') && names.has('content.xml'))) {
    throw new ImportRefusal(
      'not-prices',
      'this is a workbook, but not .xlsx; save it as .xlsx or as CSV',
    );
  }
  return names.has(workbookPart);
}

async function sheetOf(
  { name, origin, sheet }: ContainedBytes,
  archive: ZipFile,
  entries: readonly Entry[],
  budget: ExpansionBudget,
): Promise<Leaf> {
  const parts = new Map<string, () => AsyncIterable<Uint8Array>>();
  for (const entry of entries) {
    budget.countEntry();
    const read = () => guarded(readEntry(archive, entry), () => entry.compressedSize, budget);
    parts.set(nameOfEntry(entry), read);
  }
  return { type: 'bytes', name, origin, bytes: await sheetAsCsv(parts, sheet), isSheet: true };
}

function notReadAfter(path: string, { message }: ImportRefusal): string {
  return `nothing after the entry ${path} was read: ${message}`;
}

/**
 * The name of an entry exactly as in the archive, `../` and a leading `/` included. It is only
 * shown and compared with tickers. No file is ever written or opened under this name.
 */
function nameOfEntry({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}

/** Whether an entry is a symbolic link. The bytes of a link are a path. */
function isSymbolicLink({ externalFileAttributes, versionMadeBy }: Entry): boolean {
  const isUnix = versionMadeBy >>> 8 === 3;
  return isUnix && ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;
}

function namedEntry(
  name: string,
  archive: ZipFile,
  entry: Entry,
  budget: ExpansionBudget,
): NamedBytes {
  const bytes = guarded(readEntry(archive, entry), () => entry.compressedSize, budget);
  return { name, bytes, sizeBytes: entry.uncompressedSize };
}

async function* readEntry(archive: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  yield* await archive.openReadStreamPromise(entry);
}

async function openArchive(file: NamedBytes): Promise<ZipFile> {
  // `nameOfEntry` decodes the names, because the library stops reading at a name with `..`.
  const options = { autoClose: false, lazyEntries: true, decodeStrings: false };
  if (file.path !== undefined) return openPromise(file.path, options);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of file.bytes) {
    parts.push(part);
    length += part.length;
    if (length > archiveHeldBytesMax) {
      throw new ImportRefusal(
        'too-large',
        `a zip on standard input or within an archive is over ${archiveHeldBytesMax} bytes; ${unpackFirst}`,
      );
    }
  }
  return fromBufferPromise(Buffer.concat(parts), options);
}

/** Decompressed bytes, refused when they exceed a limit. */
async function* guarded(
  bytes: AsyncIterable<Uint8Array>,
  compressedBytes: () => number,
  budget: ExpansionBudget,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (exceedsRatio(length, compressedBytes())) {
      throw new ImportRefusal(
        'too-large',
        `it expands to more than ${expansionRatioMax} times its size; ${unpackFirst}`,
      );
    }
    budget.countExpanded(chunk.length);
    yield chunk;
  }
}

/** Reads the first bytes of a stream, then all of them again, and can close the stream early. */
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
  const close = async () => void (await iterator.return?.());
  return { start, bytes: startingWith(held, iterator), close };
}
