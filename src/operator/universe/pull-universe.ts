import { compareUniverses } from '../../universe/compare-universes.ts';
import { formatUniverseFaults, universeFiles } from '../../universe/files/universe-fault.ts';
import { loadUniverse } from '../../universe/load-universe.ts';
import {
  mergeUniverse,
  type MergedUniverse,
  type UniversePart,
} from '../../universe/pull/merge-universe.ts';
import { requireUniverse } from '../../node/site/require-universe.ts';
import { readAuthorities } from '../../feeds/contract/feed-config.ts';
import { OperatorFault, UsageFault } from '../../lib/reports/operator-fault.ts';
import { checkServiceUrl, readClientKey } from '../client-access.ts';
import { Origin, type OriginDeps } from './origin.ts';
import { readOffered } from './read-offered.ts';
import { readTexts, withCopy, writeTexts } from './universe-directory.ts';

/** Where a pull reads, and how. */
export interface OriginOptions extends OriginDeps {
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
export async function openOrigin(options: OriginOptions): Promise<Origin> {
  const { url, ca, keyFile, key, ask } = options;
  checkServiceUrl(url, 'URL');
  const authorities = ca === undefined ? undefined : readAuthorities(ca);
  if (authorities !== undefined && 'fault' in authorities) {
    throw new UsageFault(`--ca ${authorities.fault}.`);
  }
  const create = 'pizarra keys create --name mirror';
  const own = await readClientKey({ keyFile, key, ask, create });
  return new Origin({ url, key: own, ca: authorities?.pem }, options);
}

/** What a pull does. */
interface PullRequest {
  readonly origin: Origin;
  /** Need not exist. */
  readonly directory: string;
  readonly isDryRun: boolean;
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
export async function pullUniverse(request: PullRequest): Promise<PullSummary> {
  const { origin, directory, isDryRun } = request;
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
