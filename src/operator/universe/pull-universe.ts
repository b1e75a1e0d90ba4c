import { compareUniverses } from '../../universe/compare-universes.ts';
import { formatUniverseFaults, universeFiles } from '../../universe/files/universe-fault.ts';
import { loadUniverse } from '../../universe/load-universe.ts';
import {
  mergeUniverse,
  type MergedUniverse,
  type UniversePart,
  type UniverseTexts,
} from '../../universe/pull/merge-universe.ts';
import { requireUniverse } from '../../node/market/require-universe.ts';
import { readAuthorities } from '../../feeds/contract/feed-config.ts';
import { OperatorFault, UsageFault } from '../../lib/reports/operator-fault.ts';
import { checkServiceUrl, readClientKey } from '../client-access.ts';
import { OriginReader, type OriginDeps } from './origin.ts';
import { readOffered } from './read-offered.ts';
import { randomBytes } from 'node:crypto';
import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

/** Where a pull reads, and how. */
interface OriginOptions extends OriginDeps {
  /** The root of the public listener, base path included. */
  readonly url: string;
  readonly keyFile: string | undefined;
  /** The value of PIZARRA_KEY. */
  readonly key: string | undefined;
  readonly ask: (() => Promise<string>) | undefined;
  /** A PEM file with authorities that are trusted too. */
  readonly ca: string | undefined;
}

/**
 * Opens another Pizarra. Nothing is sent yet.
 *
 * @throws UsageFault when the URL would expose the key, or the key or the authorities cannot be read.
 */
export async function openOrigin(options: OriginOptions): Promise<OriginReader> {
  const { url, ca, keyFile, key, ask } = options;
  checkServiceUrl(url, 'URL');
  const authorities = ca === undefined ? undefined : readAuthorities(ca);
  if (authorities !== undefined && 'fault' in authorities) {
    throw new UsageFault(`--ca ${authorities.fault}.`);
  }
  const create = 'pizarra keys create --name mirror';
  const own = await readClientKey({ keyFile, key, ask, create });
  return new OriginReader({ url, key: own, ca: authorities?.pem }, options);
}

/** What a pull has added, or would add. */
export interface PullSummary extends Omit<MergedUniverse, 'texts'> {
  readonly files: readonly ChangedFile[];
  /** What the other service does not say, each a sentence without its final period. */
  readonly notes: readonly string[];
}

/** A file that is written. */
export interface ChangedFile {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Adds the instruments, markets and terms of bonds that another Pizarra has and a universe lacks. Nothing is
 * written unless the result is a universe without faults that still has all that it had.
 *
 * @throws OperatorFault
 */
export async function pullUniverse({
  origin,
  directory,
  isDryRun,
}: {
  readonly origin: OriginReader;
  /** Need not exist. */
  readonly directory: string;
  readonly isDryRun: boolean;
}): Promise<PullSummary> {
  const local = await readTexts(directory);
  const required: readonly UniversePart[] = ['instruments', 'markets', 'panels', 'derived'];
  // Faults of the operator's own files are not to be mixed with those of what is added.
  const isWhole = required.every((part) => local[part] !== undefined);
  const before = isWhole ? await requireUniverse(directory) : undefined;
  const { offered, notes } = await readOffered(origin);
  const result = mergeUniverse(local, offered);
  if (!result.ok) {
    throw new OperatorFault(
      `The universe in ${directory} has faults. Nothing was written:\n${formatUniverseFaults(result.faults)}`,
    );
  }
  const { texts, ...added } = result.merged;
  const after = await withCopy({ ...local, ...texts }, loadUniverse);
  if (!after.ok) {
    throw new OperatorFault(
      `With what ${origin.address} has, the universe in ${directory} would have faults. Nothing was written:\n${formatUniverseFaults(after.faults)}`,
    );
  }
  if (before !== undefined) {
    const { removed, changed } = compareUniverses(before, after.universe);
    const [lost] = [...removed, ...changed];
    if (lost !== undefined) {
      throw new OperatorFault(
        `The files in ${directory} could not be extended without changing ${lost}. Nothing was written. Write the instruments into a new directory, and copy their rows.`,
      );
    }
  }
  if (!isDryRun) await writeTexts(directory, texts);
  const files = (Object.keys(texts) as readonly UniversePart[]).map((part) => ({
    name: universeFiles[part],
    before: local[part] ?? '',
    after: texts[part] ?? '',
  }));
  return { ...added, files, notes };
}

/**
 * The files in the order in which they are replaced. Each file refers only to those before it, so the
 * universe is valid after each of them.
 */
const writeOrder: readonly UniversePart[] = [
  'markets',
  'panels',
  'derived',
  'instruments',
  'bonds',
];

const directoryMode = 0o755;
const fileMode = 0o644;

/**
 * Reads the files of a universe that exist. A directory that does not exist has none.
 *
 * @throws OperatorFault
 */
export async function readTexts(directory: string): Promise<UniverseTexts> {
  try {
    const texts = await Promise.all(
      Object.entries(universeFiles).map(
        async ([part, file]) => [part, await textOf(join(directory, file))] as const,
      ),
    );
    return Object.fromEntries(texts.filter(([, text]) => text !== undefined));
  } catch (fault) {
    throw new OperatorFault(`${directory} cannot be read: ${reasonOf(fault)}.`, { cause: fault });
  }
}

/** The text as it is in the file, byte order mark and line ends included. Undefined without a file. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(await readFile(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Calls back with a temporary directory that has these files, and removes it. */
export async function withCopy<T>(
  texts: UniverseTexts,
  work: (directory: string) => Promise<T>,
): Promise<T> {
  const copy = await mkdtemp(join(tmpdir(), 'pizarra-universe-'));
  try {
    for (const [part, text] of entriesOf(texts)) {
      await writeNew(join(copy, universeFiles[part]), text, fileMode);
    }
    return await work(copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/**
 * Writes the changed files of a universe. A directory that is new or empty is replaced as a whole; otherwise
 * each file is. So a program that is killed leaves each file as it was or as it will be, and a universe that
 * was valid stays valid. The files are on the disk when this returns.
 *
 * @throws OperatorFault
 */
export async function writeTexts(directory: string, texts: UniverseTexts): Promise<void> {
  try {
    await write(directory, texts);
  } catch (fault) {
    throw new OperatorFault(
      `${directory} cannot be written: ${reasonOf(fault)}. Run the command again when it can: it adds what is missing.`,
      { cause: fault },
    );
  }
}

/** The errors of the file system and of the decoder name the reason in their message. */
function reasonOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}

async function write(directory: string, texts: UniverseTexts): Promise<void> {
  const path = await realPathOf(directory);
  if (await isNewOrEmpty(path)) {
    if (await replaceDirectory(path, texts)) return;
    await mkdir(path, { recursive: true, mode: directoryMode });
  }
  for (const [part, text] of entriesOf(texts)) {
    await replaceFile(await realPathOf(join(path, universeFiles[part])), text);
  }
}

function entriesOf(texts: UniverseTexts): readonly (readonly [UniversePart, string])[] {
  return writeOrder.flatMap((part) => {
    const text = texts[part];
    return text === undefined ? [] : [[part, text] as const];
  });
}

/** A link is followed, so that its target is replaced and the link stays. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return resolve(path);
    throw error;
  }
}

async function isNewOrEmpty(path: string): Promise<boolean> {
  try {
    return (await readdir(path)).length === 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
}

/** Puts a whole directory in the place of an empty or missing one. Returns false where that is not possible. */
async function replaceDirectory(path: string, texts: UniverseTexts): Promise<boolean> {
  const parent = dirname(path);
  const made = join(parent, `.${basename(path)}.${randomBytes(6).toString('hex')}.new`);
  try {
    await mkdir(parent, { recursive: true, mode: directoryMode });
    await mkdir(made, { mode: directoryMode });
    const mode = await modeOf(path, directoryMode);
    for (const [part, text] of entriesOf(texts)) {
      await writeNew(join(made, universeFiles[part]), text, fileMode);
    }
    await chmod(made, mode);
    await sync(made);
    await rename(made, path);
    await sync(parent);
    return true;
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    const { code = '' } = error as NodeJS.ErrnoException;
    // A mounted directory, or one whose parent this user may not write to.
    if (['EBUSY', 'EACCES', 'EPERM', 'EROFS', 'EXDEV', 'ENOTEMPTY'].includes(code)) return false;
    throw error;
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  const made = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.new`);
  try {
    await writeNew(made, text, await modeOf(path, fileMode));
    await rename(made, path);
  } catch (error) {
    await rm(made, { force: true });
    throw error;
  }
  await sync(dirname(path));
}

async function modeOf(path: string, usual: number): Promise<number> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return usual;
    throw error;
  }
}

async function writeNew(path: string, text: string, mode: number): Promise<void> {
  await using file = await open(path, 'wx', mode);
  await file.writeFile(text);
  await file.chmod(mode);
  await file.sync();
}

async function sync(directory: string): Promise<void> {
  await using file = await open(directory, 'r');
  await file.sync();
}
