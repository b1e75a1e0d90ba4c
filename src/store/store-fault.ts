/** What can be wrong with a store, for programs; the message is for people. */
export type StoreFaultCode =
  /** The directory or file cannot be created, opened or written. */
  | 'unavailable'
  /** There is no store in the directory. */
  | 'absent'
  /** Written by a newer program. */
  | 'schema-newer'
  /** Written by an older program, and only a service may upgrade it. */
  | 'schema-older'
  /** The file is not a database, or is damaged. */
  | 'corrupt'
  /** Another process held it for too long. */
  | 'busy'
  /** A unique id or hash is there already. */
  | 'conflict';

/** Something wrong with the store or the disk below it. */
export class StoreFault extends Error {
  readonly code: StoreFaultCode;

  constructor(code: StoreFaultCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreFault';
    this.code = code;
  }
}
