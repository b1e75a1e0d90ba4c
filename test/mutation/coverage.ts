import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { runTestFile } from './run-test-file.ts';
import type { TestFile } from './test-files.ts';

const root = resolve(import.meta.dirname, '../..');

/** The cache between runs. The coverage of a test file only changes with the files that it can reach. */
const cache = join(root, 'node_modules/.cache/pizarra-mutation');

/** Maximum run time of a test file without a mutant, in milliseconds. */
const timeoutMs = 120_000;

/** A range of a source file: offsets, and 1 when it was executed. */
type Range = readonly [start: number, end: number, executed: 0 | 1];

/** The executed code of a test file, and its duration. */
export interface Coverage {
  readonly ms: number;
  /** Source file → its ranges in each process and thread that loaded it. */
  readonly files: Readonly<Record<string, readonly (readonly Range[])[]>>;
}

/** The coverage of test files. It is measured on demand. */
export class Coverages {
  readonly #known = new Map<string, Promise<Coverage>>();
  readonly #onUnusable: (fault: TestFault) => void;

  /**
   * @param onUnusable receives each test that fails twice without a mutant, such as on a machine under load.
   *   No mutant is run against it, which can only leave more of them undetected.
   */
  constructor(onUnusable: (fault: TestFault) => void) {
    this.#onUnusable = onUnusable;
  }

  of(test: TestFile): Promise<Coverage> {
    const known = this.#known.get(test.path) ?? this.#measure(test);
    this.#known.set(test.path, known);
    return known;
  }

  async #measure(test: TestFile): Promise<Coverage> {
    try {
      return await measureOnce(test).catch(() => measureOnce(test));
    } catch (fault) {
      if (!(fault instanceof TestFault)) throw fault;
      this.#onUnusable(fault);
      return { ms: 0, files: {} };
    }
  }
}

/** A test that fails without a mutant. */
class TestFault extends Error {}

/** Whether the text at an offset of a source file was executed. */
export function executes({ files }: Coverage, file: string, offset: number): boolean {
  return (files[file] ?? []).some((ranges) => {
    // Ranges are nested, and the innermost one counts.
    let innermost: Range = [0, Infinity, 0];
    for (const range of ranges) {
      const [start, end] = range;
      const isInside = offset >= start && offset < end;
      if (isInside && end - start <= innermost[1] - innermost[0]) innermost = range;
    }
    return innermost[2] === 1;
  });
}

async function measureOnce(test: TestFile): Promise<Coverage> {
  const place = join(cache, `${hashOf(test)}.json`);
  try {
    return JSON.parse(readFileSync(place, 'utf8')) as Coverage;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const coverage = await measure(test);
  mkdirSync(cache, { recursive: true });
  writeFileSync(place, JSON.stringify(coverage));
  return coverage;
}

/** @throws TestFault when the test fails without a mutant. */
async function measure({ path }: TestFile): Promise<Coverage> {
  const directory = mkdtempSync(join(tmpdir(), 'pizarra-coverage-'));
  try {
    const run = await runTestFile(path, { env: { NODE_V8_COVERAGE: directory }, timeoutMs });
    if (run.ending !== 'passed') {
      throw new TestFault(`${path} ${run.ending} without a mutant:\n${run.output}`);
    }
    const files: Record<string, Range[][]> = {};
    for (const name of readdirSync(directory)) {
      addCoverage(files, readFileSync(join(directory, name), 'utf8'));
    }
    return { ms: Math.round(run.ms), files };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

interface V8Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { startOffset: number; endOffset: number; count: number }[];
    }[];
  }[];
}

function addCoverage(files: Record<string, Range[][]>, text: string): void {
  const { result } = JSON.parse(text) as V8Coverage;
  for (const { url, functions } of result) {
    if (!url.startsWith('file:')) continue;
    const file = relative(root, fileURLToPath(url));
    if (!file.startsWith('src/') || file.endsWith('.test.ts')) continue;
    const ranges = functions.flatMap((one) =>
      one.ranges.map(({ startOffset, endOffset, count }): Range => {
        return [startOffset, endOffset, count > 0 ? 1 : 0];
      }),
    );
    (files[file] ??= []).push(ranges);
  }
}

function hashOf({ distances }: TestFile): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of [...distances.keys()].toSorted()) {
    hash.update(`\n${file}\n`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex').slice(0, 32);
}
