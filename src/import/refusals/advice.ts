import type { ImportOptions } from './import-options.ts';

/** The options of an import that have a text as their value. */
export type OptionName = {
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
