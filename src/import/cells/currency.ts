/** ISO 4217 codes, as this runtime knows them. */
const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Signs that mean one currency only. `$` means pesos or dollars, so it means none. */
const signs: Readonly<Record<string, string>> = {
  US$: 'USD',
  U$S: 'USD',
  U$D: 'USD',
  AR$: 'ARS',
  USDT: 'USD',
  '€': 'EUR',
  '£': 'GBP',
};

/** Words for a currency in a column such as `moneda`, or in a heading, without accents. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\b(?:dolar(?:es)?|dollars?)\b/, 'USD'],
  [/\bpesos?(?: argentinos?)?$|\bpesos? argentinos?\b/, 'ARS'],
  [/\beuros?\b/, 'EUR'],
  // BYMA's name for dollars that are paid abroad.
  [/^ext$/, 'USD'],
];

/** The currencies that a heading may name. Other codes, such as ALL or TOP, are words. */
const headed: ReadonlySet<string> = new Set(['USD', 'ARS', 'EUR']);

const beforeDigits = /^\s*[-+]?\s*([^\d\s.,+-]+)\s*[-+]?[.,]?\d/;

/** The currency that is written before a price: `USD` of `US$ 45.2`. Undefined without one. */
export function currencyOfPrice(cell: string): string | undefined {
  const [, text] = beforeDigits.exec(cell) ?? [];
  return text === undefined ? undefined : currencyOfSign(text);
}

/** The currency that a cell of a column `moneda` or `currency` names. Undefined for another text. */
export function currencyOfName(cell: string): string | undefined {
  const text = cell.trim();
  if (text === '') return undefined;
  return currencyOfSign(text) ?? words.find(([word]) => word.test(folded(text)))?.[1];
}

/** A hundredth of a currency, in which London (`GBp`) and Johannesburg (`ZAc`) quote. */
const hundredths = /^[A-Z]{2}[a-z]$/;

/** A text for no value. `$` means pesos or dollars. */
const noValue = /^(?:nan|null|none|n\/?a|n\/?d|s\/?d)$|^[^\p{L}]*$/iu;

/**
 * The currency that a cell of a column `moneda` or `currency` states: its code, or the text itself if it is
 * not known, which is never the currency of an instrument. Undefined for no value.
 */
export function statedCurrency(cell: string): string | undefined {
  const text = cell.trim();
  return currencyOfName(text) ?? (noValue.test(text) ? undefined : text);
}

/** The currency at the end of a file's name: `GBP` of `BTC_GBP` and `BTCGBP`, for the instrument BTC. */
export function currencyOfFile(name: string, ticker: string): string | undefined {
  const base = ticker.replace(/_US$|\/.*$/, '');
  const own = name.toUpperCase().startsWith(base) ? name.slice(base.length) : '';
  const ofPair = currencyOfSign(own.replace(/^[\s_./-]+/, ''));
  if (own !== '' && ofPair !== undefined) return ofPair;
  const [, last = ''] = /[\s_.-]([a-z]{3})$/i.exec(name) ?? [];
  if (headed.has(last.toUpperCase())) return last.toUpperCase();
  const [, text = ''] = /[\s_.-](?:en|in|em)[\s_.-]+([a-z]+)$/i.exec(name) ?? [];
  return text === '' ? undefined : currencyOfHeading(text);
}

/** The currency that a heading names: `USD` of `Close (USD)` and of `cierre_usd`. */
export function currencyOfHeading(heading: string): string | undefined {
  for (const part of heading.split(/[\s_()[\],;:/-]+/)) {
    const named = part === '' ? undefined : currencyOfName(part);
    if (named !== undefined && headed.has(named)) return named;
  }
  return undefined;
}

function currencyOfSign(text: string): string | undefined {
  if (hundredths.test(text)) return undefined;
  const sign = text.toUpperCase();
  return signs[sign] ?? (codes.has(sign) ? sign : undefined);
}

function folded(text: string): string {
  const plain = text.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, '');
  return plain.replaceAll('_', ' ').toLowerCase();
}
