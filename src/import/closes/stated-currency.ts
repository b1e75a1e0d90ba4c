import type { Instrument } from '../../domain/instruments/instrument.ts';
import {
  currencyOfFile,
  currencyOfHeading,
  currencyOfPrice,
  statedCurrency,
} from '../cells/currency.ts';
import { cellAt, type Row } from '../cells/table.ts';
import { nameOfFile } from '../files/file-name.ts';
import { foldHeading } from '../layouts/headings.ts';
import type { Reading, SeriesColumns } from '../layouts/layout.ts';

/** Headings of a column that names the currency of each row. */
const currencyHeadings: ReadonlySet<string> = new Set([
  'moneda',
  'moneda de cotizacion',
  'moneda cotizacion',
  'divisa',
  'currency',
  'currency code',
  'ccy',
  'moeda',
]);

/** The currency that a table states for a price, or undefined. */
export type CurrencyRule = (
  row: Row,
  columns: Pick<SeriesColumns, 'close' | 'ticker'>,
  instrument: Instrument,
) => string | undefined;

/**
 * Finds where a table states the currency of its prices: in a column, before each price, in the heading
 * of the close, by its layout, or in the name of its file. A column or a heading of an exchange rate names the currency that has
 * the price, and not the one in which the price is.
 */
export function currencyRuleOf({ header, currency }: Reading, path: string): CurrencyRule {
  const file = nameOfFile(path);
  const ofFile = new Map<string, string | undefined>();
  const column = header.findIndex((heading) =>
    currencyHeadings.has(foldHeading(heading).replaceAll('_', ' ')),
  );
  return (row, { close, ticker }, { kind, ticker: name, name: fullName }) => {
    const written = currencyOfPrice(cellAt(row, close));
    if (kind === 'exchange-rate') return written ?? currency;
    const cell = column < 0 ? '' : cellAt(row, column);
    // Some files have the name of a cryptocurrency in a column `currency`.
    const named = [name, fullName].includes(cell.trim()) ? undefined : statedCurrency(cell);
    // A heading that names the instrument is a ticker, such as the fund USD.
    const isName = ticker.type === 'heading';
    const inHeading = isName ? undefined : currencyOfHeading(cellAt(header, close));
    const stated = named ?? written ?? inHeading ?? currency;
    if (stated !== undefined) return stated;
    if (!ofFile.has(name)) ofFile.set(name, currencyOfFile(file, name));
    return ofFile.get(name);
  };
}

/** Whether a stated currency is another one than that of an instrument. */
export function isOtherCurrency(stated: string | undefined, { currency }: Instrument): boolean {
  // A rate and a spread have no currency but a unit, such as `%` or `bp`.
  return stated !== undefined && stated !== currency && /^[A-Z]{3}$/.test(currency);
}
