import { OperatorFault } from '../../lib/reports/operator-fault.ts';
import {
  fileFault,
  formatUniverseFaults,
  type FileText,
  type UniverseFault,
} from '../../universe/files/universe-fault.ts';
import { leavesOfSources, wholeText } from './sources.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';

/** A record with the line of its file, 0 where the file has no lines. */
export interface LocatedRecord<T> {
  readonly value: T;
  readonly line: number;
}

/** The records of several files: at most one of each key. With faults, nothing may be stored. */
export class Records<T> {
  readonly faults: UniverseFault[] = [];
  /** The number of files. */
  files = 0;
  readonly #byKey = new Map<string, LocatedRecord<T> & { readonly file: string }>();
  readonly #keyOf: (value: T) => string;
  readonly #conflictOf: RecordConflict<T>;

  /** @param conflictOf what is wrong if two records have one key; undefined if they are equal. */
  constructor(keyOf: (value: T) => string, conflictOf: RecordConflict<T>) {
    this.#keyOf = keyOf;
    this.#conflictOf = conflictOf;
  }

  get values(): readonly T[] {
    return this.located.map(({ value }) => value);
  }

  /** The records with their places. */
  get located(): readonly (LocatedRecord<T> & { readonly file: string })[] {
    return [...this.#byKey.values()];
  }

  /**
   * The texts of files, directories, archives and standard input (`-`). A file that cannot be read is a fault.
   *
   * @param use reads a text. It may throw a refusal.
   */
  async readTexts(
    sources: readonly string[],
    stdin: AsyncIterable<Uint8Array>,
    extensions: RegExp,
    use: (source: FileText) => void,
  ): Promise<void> {
    for await (const leaf of leavesOfSources(sources, stdin, { extensions })) {
      if (leaf.type === 'skipped') continue;
      this.files += 1;
      const { name: file } = leaf;
      try {
        use({ file, text: await wholeText(leaf) });
      } catch (error) {
        if (!(error instanceof ImportRefusal)) throw error;
        this.faults.push(fileFault(file, error.message));
      }
    }
  }

  add(file: string, records: readonly LocatedRecord<T>[]): void {
    for (const { value, line } of records) {
      const key = this.#keyOf(value);
      const before = this.#byKey.get(key);
      if (before === undefined) {
        this.#byKey.set(key, { value, line, file });
        continue;
      }
      const place = before.line === 0 ? before.file : `${before.file}:${before.line}`;
      const conflict = this.#conflictOf(value, before.value, place);
      if (conflict !== undefined) this.faults.push({ file, line, column: 0, ...conflict });
    }
  }
}

/** @throws {OperatorFault} that lists the faults of the files, or when there is no file. */
export function requireSound({
  faults,
  files,
}: {
  readonly faults: readonly UniverseFault[];
  readonly files: number;
}): void {
  if (faults.length > 0) {
    throw new OperatorFault(
      `Nothing was imported, because of these faults:\n${formatUniverseFaults(faults)}`,
    );
  }
  if (files === 0) throw new OperatorFault('There is no file to import. Check the paths.');
}

type RecordConflict<T> = (
  value: T,
  before: T,
  place: string,
) => Pick<UniverseFault, 'value' | 'message'> | undefined;
