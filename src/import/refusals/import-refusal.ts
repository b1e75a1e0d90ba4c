import type { DateFormat } from '../cells/date-format.ts';
import type { Decimal } from '../cells/number-format.ts';

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

  constructor(code: RefusalCode, problem: string, advice?: Advice, options?: ErrorOptions) {
    const text = advice === undefined ? '' : adviceText(advice);
    super(text === '' ? problem : `${problem}; ${text}`, options);
    this.name = 'ImportRefusal';
    this.code = code;
    this.problem = problem;
    this.advice = advice;
  }

  /** The same refusal, with other suggestions if it has advice. */
  suggesting(suggestions: readonly Suggestion[]): ImportRefusal {
    const { code, problem, advice } = this;
    return advice ? new ImportRefusal(code, problem, { ...advice, suggestions }) : this;
  }
}

/** The columns that the operator named by their headings. */
export interface NamedColumns {
  /** The column with the close. In a matrix, the only column to import. */
  readonly column?: string | undefined;
  /** The column with the instrument of each row. */
  readonly tickerColumn?: string | undefined;
  /** The column with the dates. */
  readonly dates?: string | undefined;
}

/** The operator's options for reading files. */
export interface ReadingOptions extends NamedColumns {
  readonly dateFormat?: DateFormat;
  readonly decimal?: Decimal;
}

/** The operator's options. */
export interface ImportOptions extends ReadingOptions {
  /** The instrument, for a file that does not name it. */
  readonly ticker?: string;
  /** The suffix that turns names in files into tickers (`_US`). Empty: names are tickers. */
  readonly suffix?: string;
  /** The sheet of a workbook. */
  readonly sheet?: string;
  /** The time zone whose days the dates are of, where they are instants. */
  readonly zone?: string;
  /** Record the dividends and splits in the columns of the files as corporate actions. */
  readonly actions?: boolean;
  /** Replace stored closes also where most of those of an instrument are on another level. */
  readonly replace?: boolean;
}

/** The options of an import that have a text as their value. */
type OptionName = {
  [Name in keyof ImportOptions]-?: NonNullable<ImportOptions[Name]> extends string ? Name : never;
}[keyof ImportOptions];

/**
 * A value that only the operator knows: the ticker of a file that does not name its instrument, or the
 * time zone of its instants.
 */
export const operatorKnows = Symbol('a value that only the operator knows');

/**
 * One way to import a file that was refused: options to set, and with `null` options to leave out. The
 * others remain.
 */
export type Suggestion = {
  readonly [Name in OptionName]?:
    | string
    | null
    | (Name extends 'ticker' | 'zone' ? typeof operatorKnows : never);
} & { readonly replace?: true };

/**
 * Every kind of advice, with the words before its suggestions. Only `ImportRefusal` writes these words and
 * the names of options, so `test/import/advice.test.ts` can follow each kind of advice.
 */
export const adviceKinds = {
  'choose-instrument': 'choose with',
  'confirm-instrument': 'if it is the former, use',
  'confirm-market': 'if all columns are of one market, use',
  'name-instrument': 'specify the instrument with',
  'name-instrument-in-currency': 'specify an instrument in that currency with',
  'import-column': 'import one column with',
  'choose-column': 'choose one column with',
  'choose-close': 'choose the close with',
  'choose-date-format': 'set',
  'choose-decimal': 'set',
  'choose-sheet': 'choose one with',
  'choose-zone': 'set',
  'name-tickers': 'if this column has the tickers, use',
  'name-dates': 'if one column has the dates, name it with',
  'confirm-level': 'name its instrument, or confirm that its closes are right, with',
  'confirm-volume': 'if the first is right, set',
  'leave-out-ticker': 'import it',
  'leave-out-ticker-column': 'import it',
  'leave-out-zone': 'import it',
  'leave-out-suffix': 'import it',
} as const;

/** One of {@link adviceKinds}. */
type AdviceKind = keyof typeof adviceKinds;

/** What an operator can do about a refusal: any one of the suggestions. */
export interface Advice {
  readonly kind: AdviceKind;
  /** The operator chooses one of them. There may be none, because none would lead to an import. */
  readonly suggestions: readonly Suggestion[];
  /** What to do where no suggestion helps. */
  readonly otherwise?: string;
}

/** The advice where a sign may be decimal or separate thousands. */
export const chooseDecimal: Advice = {
  kind: 'choose-decimal',
  suggestions: [{ decimal: '.' }, { decimal: ',' }],
};

/** The advice where a date has several readings. */
export function chooseDateFormat(formats: readonly DateFormat[]): Advice {
  const suggestions = formats.map((dateFormat) => ({ dateFormat }));
  return { kind: 'choose-date-format', suggestions };
}

/** Maximum number of suggestions in a message. */
const suggestionsShownMax = 8;

/** `choose with --ticker KO or --ticker KO_US`. Empty without a suggestion and without `otherwise`. */
export function adviceText({ kind, suggestions, otherwise = '' }: Advice): string {
  if (suggestions.length === 0) return otherwise;
  const texts = [...new Set(suggestions.map(suggestionText))];
  const shown = texts.slice(0, suggestionsShownMax);
  const more = texts.length > shown.length ? ', …' : '';
  const [last = '', ...others] = shown.toReversed();
  const list = more !== '' || others.length === 0 ? shown.join(', ') : '';
  return `${adviceKinds[kind]} ${list || `${others.toReversed().join(', ')} or ${last}`}${more}`;
}

/** The options as an operator writes them: `--suffix _US --column "Adj Close"`. */
export function suggestionText(suggestion: Suggestion): string {
  const { replace, ...texts } = suggestion;
  const entries = Object.entries(texts) as [OptionName, Suggestion[OptionName]][];
  const left = entries.filter(([, value]) => value === null);
  const set = entries.filter(([, value]) => value !== null);
  return [
    ...set.map(([name, value]) =>
      optionText(name, typeof value === 'string' ? value : name.toUpperCase()),
    ),
    ...(replace === true ? [flagOf('replace')] : []),
    ...left.map(([name]) => `without ${flagOf(name)}`),
  ].join(' ');
}

/** An option with its value, quoted for a shell. */
export function optionText(name: OptionName, value: string): string {
  return `${flagOf(name)} ${quoted(value)}`;
}

/** A value quoted for a shell. Headings come from files of unknown origin: a shell must run none of it. */
function quoted(value: string): string {
  if (/^[\w.,=+/-]+$/.test(value)) return value;
  return /["$`\\!]/.test(value) ? `'${value.replaceAll("'", String.raw`'\''`)}'` : `"${value}"`;
}

/** The flag of an option: `--date-format` of `dateFormat`. */
function flagOf(name: OptionName | 'replace'): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
