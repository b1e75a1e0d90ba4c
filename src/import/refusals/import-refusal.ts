import { adviceText, type Advice } from './advice.ts';

/** Why a file is refused, for programs. The message is for people. */
export type RefusalCode =
  /** The file cannot be read: it does not exist, access is denied, or the archive is damaged. */
  | 'unreadable'
  /** A limit is exceeded, as by a decompression bomb or a JSON document that is too long. */
  | 'too-large'
  /** No layout matches: these are not daily prices. */
  | 'not-prices'
  /** Two interpretations are possible. The message shows both and names the option that decides. */
  | 'ambiguous'
  /** The instrument is not in the universe. */
  | 'unknown-ticker'
  /** The store has other closes of an instrument that is to be restored with its memory. */
  | 'not-empty'
  /** An option does not fit the file, such as an unknown column or another date format. */
  | 'option-mismatch';

/** The refusal of a file. Nothing of the file is stored. Other files are not affected. */
export class ImportRefusal extends Error {
  readonly code: RefusalCode;
  /** What is wrong, without the advice. */
  readonly problem: string;
  readonly advice: Advice | undefined;

  constructor(
    code: RefusalCode,
    problem: string,
    { advice, ...options }: ErrorOptions & { readonly advice?: Advice } = {},
  ) {
    const text = advice === undefined ? '' : adviceText(advice);
    super(text === '' ? problem : `${problem}; ${text}`, options);
    this.name = 'ImportRefusal';
    this.code = code;
    this.problem = problem;
    this.advice = advice;
  }
}
