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

/** A fault of the store, or of the disk below it. */
export class StoreFault extends Error {
  readonly code: StoreFaultCode;

  constructor(code: StoreFaultCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreFault';
    this.code = code;
  }
}

/** Whether a fault is that of a store that does not respond in time. The same call may succeed later. */
export function isOutage(fault: unknown): fault is StoreFault {
  return fault instanceof StoreFault && (fault.code === 'unavailable' || fault.code === 'busy');
}
