import type { Quote } from '../../domain/quotes/quote.ts';
import { noExtras } from '../../domain/quotes/quote-extra.ts';
import type { QuoteExtras } from '../../domain/quotes/quote-extra.ts';
import { rememberedWith } from '../../lib/results/remembered.ts';
import { buenosAiresTime } from '../texts/buenos-aires-time.ts';
import { CsvTable, joinLines, numberColumn, textColumn } from '../texts/csv-text.ts';
import type { CsvColumn, CsvStyle } from '../texts/csv-text.ts';
import { extraText, isTextExtra } from '../params/quote-extras.ts';
import type { InstantTexts } from '../texts/instant-texts.ts';
import { extraNames } from '../texts/quote-names.ts';
import type { PlainName } from '../texts/quote-names.ts';
import { formatExactNumber } from '../../lib/numbers/exact-number.ts';
import { formatValue } from '../texts/number.ts';

/** The fields of a quote in the order of contract 2.1. */
const table = new CsvTable({
  especie: textColumn,
  fecha: textColumn,
  hora: textColumn,
  ultimo: numberColumn,
  variacion: numberColumn,
  anterior: numberColumn,
  apertura: numberColumn,
  minimo: numberColumn,
  maximo: numberColumn,
  varMTD: numberColumn,
  varYTD: numberColumn,
  volumen: numberColumn,
} satisfies Record<PlainName, CsvColumn>);

/** A quote as a line of each style, which is rendered once, as its JSON is. */
const quoteLines: Readonly<Record<CsvStyle, (quote: Quote) => string>> = {
  csv: rememberedWith((quote) => table.line(cellsOf(quote), 'csv')),
  'csv-comma': rememberedWith((quote) => table.line(cellsOf(quote), 'csv-comma')),
};

/**
 * The body of `/cotizaciones` as CSV (contract 4.5.3): a header row, and a line for each quote with
 * the same texts as in its JSON.
 */
export function quoteListCsv(
  quotes: readonly Quote[],
  style: CsvStyle,
  extras: QuoteExtras = noExtras,
  instants?: InstantTexts,
): string {
  const added = extraTable(extras);
  const header = joinLines(table.header(style), added?.header(style), style);
  const lines = quotes.map((quote) => {
    const cells = extras.map((extra) => extraText(quote, extra, instants));
    return joinLines(quoteLines[style](quote), added?.line(cells, style), style);
  });
  return header + lines.join('');
}

/** The columns of the extras; undefined without extras. */
function extraTable(extras: QuoteExtras): CsvTable | undefined {
  if (extras === noExtras) return undefined;
  return new CsvTable(
    Object.fromEntries(
      extras.map((extra) => [extraNames[extra], isTextExtra(extra) ? textColumn : numberColumn]),
    ),
  );
}

function cellsOf(quote: Quote): readonly (string | null | undefined)[] {
  const { instrument } = quote;
  const price = (value: number | undefined): string | undefined =>
    value === undefined ? undefined : formatValue(value, instrument);
  return [
    instrument.ticker,
    quote.sessionDate,
    quote.asOf === undefined ? undefined : buenosAiresTime(quote.asOf),
    price(quote.last),
    exact(quote.change === null ? null : quote.change.value),
    price(quote.previousClose),
    price(quote.open),
    price(quote.low),
    price(quote.high),
    exact(quote.monthToDatePct),
    exact(quote.yearToDatePct),
    exact(quote.volume),
  ];
}

function exact(value: number | null): string | null {
  return value === null ? null : formatExactNumber(value);
}
