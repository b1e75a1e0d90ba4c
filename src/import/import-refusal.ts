/** Why a whole file is refused, for programs; the message is for people. */
export type RefusalCode =
  /** It cannot be read: no such file, no permission, a damaged archive. */
  | 'unreadable'
  /** A named limit is exceeded: a decompression bomb, a JSON document that is too long. */
  | 'too-large'
  /** No layout fits: these are not daily prices. */
  | 'not-prices'
  /** Two readings fit; the message shows both and names the option that settles it. */
  | 'ambiguous'
  /** The universe has no such instrument. */
  | 'unknown-ticker'
  /** An option does not fit the file: no such column, a date format that no row has. */
  | 'option-mismatch';

/** A file that is not imported. Nothing of it is stored, and the other files are not disturbed. */
export class ImportRefusal extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ImportRefusal';
    this.code = code;
  }
}
