import { bookFieldNames } from './quote-fields.ts';
import { plainVersionOf, type Quote } from './quote.ts';

/**
 * The fields of a quote that a client gets only if it requests them, in the order of responses. The instant
 * is that of the last update, whose time of day every client gets.
 */
export const quoteExtras = [...bookFieldNames, 'source', 'instant'] as const;

/** One of {@link quoteExtras}. */
export type QuoteExtra = (typeof quoteExtras)[number];

/**
 * The extras of a request, each once and in the order of {@link quoteExtras}. There is one array for
 * each combination, so an array may be compared and used as a key by identity.
 */
export type QuoteExtras = readonly QuoteExtra[];

/** A request for the plain quote, which is the usual one. */
export const noExtras: QuoteExtras = [];

const combinations = new Map<number, QuoteExtras>([[0, noExtras]]);

/** The array for some extras, whatever their order and however often each is named. */
export function extrasOf(named: Iterable<QuoteExtra>): QuoteExtras {
  const wanted = new Set(named);
  const extras = quoteExtras.filter((extra) => wanted.has(extra));
  const key = extras.reduce((bits, extra) => bits | (1 << quoteExtras.indexOf(extra)), 0);
  const known = combinations.get(key);
  if (known !== undefined) return known;
  combinations.set(key, extras);
  return extras;
}

/** The value of an extra: of the instant in epoch milliseconds. Undefined where it is not known. */
export function extraOf(quote: Quote, extra: QuoteExtra): number | string | undefined {
  if (extra === 'instant') return quote.asOf;
  return extra === 'source' ? quote.source?.name : quote.book?.[extra];
}

const instantAlone = extrasOf(['instant']);

/** Whether a reader of some extras sees exactly the changes that a reader of the plain quote sees. */
export function seesPlainChanges(extras: QuoteExtras): boolean {
  return extras === noExtras || extras === instantAlone;
}

/**
 * The version of a quote for a reader of some extras. Without extras, it is that of the latest change
 * that every client sees.
 */
export function versionFor(quote: Quote, extras: QuoteExtras): number {
  return seesPlainChanges(extras) ? plainVersionOf(quote) : quote.version;
}

/**
 * Whether two quotes of one instrument differ for a reader of some extras. The instant is a part of the
 * plain quote, so it alone is no difference.
 */
export function differFor(a: Quote, b: Quote, extras: QuoteExtras): boolean {
  if (plainVersionOf(a) !== plainVersionOf(b)) return true;
  return extras.some((extra) => extra !== 'instant' && extraOf(a, extra) !== extraOf(b, extra));
}
