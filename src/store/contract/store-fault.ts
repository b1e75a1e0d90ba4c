/** The kind of a store fault, for programs. Its message is for people. */
export type StoreFaultCode =
  /** The directory or file cannot be created, opened or written. */
  | 'unavailable'
  /** The directory has no store. */
  | 'absent'
  /** A newer version of the program wrote the store. */
  | 'schema-newer'
  /** An older version of the program wrote the store. Its history can be exported and imported. */
  | 'schema-older'
  /** The file is not a database, or is damaged. */
  | 'corrupt'
  /** Another process held the lock for too long, or holds the claim. */
  | 'busy'
  /** Another writer holds the claim. The commit was not stored, and must not be retried. */
  | 'fenced'
  /** The store is the target of a copy that was interrupted. */
  | 'unfinished'
  /** The place cannot do this. The message says what to use instead. */
  | 'unsupported'
  /** A unique id, hash or file exists already. */
  | 'conflict';

/** The process that holds the claim of a place, as far as it is known. */
export interface ClaimHolder {
  /** The id of the node. Absent when the holder has not published it yet. */
  readonly id?: string | undefined;
  /** The machine of the node, for people. */
  readonly name?: string | undefined;
  /** URL at which other machines reach its private listener, which accepts updates. Absent until it listens. */
  readonly privateUrl?: string | undefined;
}

/** A fault of the store, or of the disk below it. */
export class StoreFault extends Error {
  readonly code: StoreFaultCode;
  /** Present if another process holds the claim. */
  readonly holder: ClaimHolder | undefined;

  constructor(
    code: StoreFaultCode,
    message: string,
    options: ErrorOptions & { readonly holder?: ClaimHolder } = {},
  ) {
    super(message, options);
    this.name = 'StoreFault';
    this.code = code;
    this.holder = options.holder;
  }
}

/** Whether a fault is that of a store that does not respond in time. The same call may succeed later. */
export function isOutage(fault: unknown): fault is StoreFault {
  return fault instanceof StoreFault && (fault.code === 'unavailable' || fault.code === 'busy');
}

/**
 * Whether damage of a store has been found, by a read or by the periodic check, in any process of the service.
 * The first finding stays until a restart over a sound store.
 */
export class StoreDamage {
  readonly #listeners = new Set<(fault: StoreFault) => void>();
  #fault: StoreFault | undefined;

  /** The first finding. */
  get fault(): StoreFault | undefined {
    return this.#fault;
  }

  /** Remembers the first finding, and calls every listener once. */
  found(fault: StoreFault): void {
    if (this.#fault !== undefined) return;
    this.#fault = fault;
    for (const onFound of this.#listeners) onFound(fault);
    this.#listeners.clear();
  }

  /** Remembers a fault if it is damage. */
  note(fault: unknown): void {
    if (fault instanceof StoreFault && fault.code === 'corrupt') this.found(fault);
  }

  /** Calls `onFound` when damage is found, or at once if it was found before. */
  onFound(onFound: (fault: StoreFault) => void): Disposable {
    if (this.#fault === undefined) this.#listeners.add(onFound);
    else onFound(this.#fault);
    return { [Symbol.dispose]: () => void this.#listeners.delete(onFound) };
  }
}

/**
 * Refuses a store that another version of the program wrote. Tables of another schema are never changed.
 *
 * @param where the place, for people.
 * @param another what the history can be imported into, or what can be used instead.
 * @throws StoreFault `schema-older` or `schema-newer`
 */
export function requireVersion(
  where: string,
  {
    version,
    needed,
    another,
  }: { readonly version: number; readonly needed: number; readonly another: string },
): void {
  if (version > needed) {
    throw new StoreFault(
      'schema-newer',
      `${where} was written by a newer version of Pizarra: it has schema ${version}, and this version ` +
        `supports schema ${needed}. Run the newer version, or choose another ${another}`,
    );
  }
  if (version < needed) {
    throw new StoreFault(
      'schema-older',
      `${where} has schema ${version} of an older version of Pizarra, and this version needs schema ` +
        `${needed}. Run "pizarra export --with-changes" of the older version, and "pizarra import" of this version into an empty ${another}`,
    );
  }
}

/**
 * The statements about the mark of a store that is being copied, a subject in `revisions`. A copy removes it when it is
 * complete.
 */
export const copyMark = {
  find: `SELECT 1 FROM revisions WHERE subject = 'unfinished copy'`,
  set: `INSERT INTO revisions (subject, value) VALUES ('unfinished copy', 1) ON CONFLICT DO NOTHING`,
  remove: `DELETE FROM revisions WHERE subject = 'unfinished copy'`,
} as const;

/**
 * The fault of a store that is the target of an interrupted copy.
 *
 * @param where the place, for people.
 * @param removal how to remove the place.
 */
export function unfinishedFault(where: string, removal: string): StoreFault {
  return new StoreFault(
    'unfinished',
    `${where} is an incomplete copy: "pizarra store copy" runs, or was interrupted. To continue, run ` +
      `"pizarra store copy" with the same --from and --to again. To remove the copy, ${removal}`,
  );
}

/** What a fault that a database reports says. The other codes say that the place cannot be used. */
const sentences: Readonly<Partial<Record<StoreFaultCode, string>>> = {
  busy: 'is busy: another process holds a lock, or a statement took too long',
  corrupt: 'is not a database or is damaged',
  conflict: 'already contains this entry',
  absent: 'does not exist',
};

/**
 * The fault that a database reports.
 *
 * @param where the file or the database, for people.
 * @param reason the message of the database.
 * @param todo what to do, as a sentence.
 */
export function reportedFault(
  code: StoreFaultCode,
  where: string,
  reason: string,
  { cause, todo }: { readonly cause?: unknown; readonly todo?: string | undefined } = {},
): StoreFault {
  const sentence = sentences[code];
  const message =
    sentence === undefined ? `cannot use ${where}: ${reason}` : `${where} ${sentence} (${reason})`;
  return new StoreFault(code, todo === undefined ? message : `${message}. ${todo}`, { cause });
}

/** The fault of damaged data. The parameters are those of {@link reportedFault}. */
export function damaged(where: string, reason: string, cause?: unknown): StoreFault {
  return reportedFault('corrupt', where, reason, { cause });
}
