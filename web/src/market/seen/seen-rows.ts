import type { Quote } from '../api/quote.ts';

/** What a view showed last. */
export interface SeenRows {
  /** When the service was last heard, in milliseconds since 1970. */
  readonly heardAt: number;
  /** The tickers in the order of the view. */
  readonly tickers: readonly string[];
  readonly quotes: readonly Quote[];
}

/** Older rows are not shown any more, in milliseconds. */
const ageMsMax = 7 * 86_400_000;

/** The rows of a stored value. Undefined if it has another form, or is too old. */
export function readSeenRows(value: unknown, now: number): SeenRows | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { heardAt, tickers, quotes } = value as Partial<Record<keyof SeenRows, unknown>>;
  if (typeof heardAt !== 'number' || heardAt > now || now - heardAt > ageMsMax) return undefined;
  if (!Array.isArray(tickers) || !tickers.every((one) => typeof one === 'string')) return undefined;
  if (!Array.isArray(quotes) || !quotes.every((one: unknown) => isQuote(one))) return undefined;
  return { heardAt, tickers, quotes };
}

/** Whether a value has what every view needs of a quote. The rest may be absent in any quote. */
function isQuote(value: unknown): value is Quote {
  if (typeof value !== 'object' || value === null) return false;
  const { especie, fecha, ultimo } = value as Partial<Record<keyof Quote, unknown>>;
  return typeof especie === 'string' && typeof fecha === 'string' && typeof ultimo === 'number';
}
