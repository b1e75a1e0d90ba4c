import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import { isCloseSource } from '../../domain/history/close-source.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import { judge } from '../../domain/history/judge/judge.ts';
import { impossibleTexts } from '../../domain/history/judge/judgement.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import {
  currencyOfFile,
  currencyOfHeading,
  currencyOfPrice,
  statedCurrency,
} from '../cells/currency.ts';
import { parseNumber, parsePercent, parseVolume, type Decimal } from '../cells/number-format.ts';
import { cellAt, type CellRow } from '../cells/table.ts';
import { nameOfFile } from '../files/file-name.ts';
import { foldHeading } from '../layouts/headings.ts';
import type { Reading, SeriesColumns } from '../layouts/layout.ts';
import type { SettledReading } from '../recognition/recognise.ts';
import type { CloseTarget } from './close-target.ts';

/** Why a row is rejected. The texts appear in the summary and in the file of rejected rows. */
export const rejectReasons = {
  'no-date': 'not a valid date',
  'no-number': 'the close is not a number',
  ...impossibleTexts,
  future: 'the date is in the future',
  'session-open': 'the session of that day is not over',
  'no-session': 'a weekend or a holiday of the market',
  renamed: 'the instrument has another ticker from that day on',
  'unknown-ticker': 'the instrument is not in the universe',
  'unclear-ticker': 'the name of the instrument may be a word',
  repeated: 'the file has an earlier close of the same day, which is kept',
  'repeated-values':
    'the file has an earlier row of the same day with the same close and other values, which is kept',
  crossed: 'the bid of the row is above its ask',
  'other-currency': 'the price is in another currency than the instrument',
  'bad-source':
    'the source is not one that "export" writes: at most 200 characters, the first a letter or a digit',
  omitted: 'skipped by the layout',
  'bad-dividend': 'the dividend of the row is not an amount, such as 0.24; its close is read apart',
  'bad-split':
    'the split of the row is neither a factor nor new units to old units, such as 4 or 4:1; its close is read apart',
  'no-such-action': 'an instrument of this kind has no such corporate action',
} as const;

/** One of {@link rejectReasons}. */
export type RejectReason = keyof typeof rejectReasons;

/** How cells are parsed as numbers. */
export interface CellRules {
  readonly decimal: Decimal;
  /** The decimal sign of each column of volumes, where it is not that of the prices. */
  readonly volumeDecimals: ReadonlyMap<number, Decimal>;
  /** The currency that the table states for the price of a row. */
  readonly currencyOf: CurrencyRule;
  /** The divisor of all prices. */
  readonly scale: number;
  /** The source of the closes of a table that has no column for it. */
  readonly source: string;
}

/** The reason why a target cannot have a close on a day, or undefined when it can. */
export function checkDay(day: EpochDay, { days, before }: CloseTarget): RejectReason | undefined {
  if (before !== undefined && day >= before) return 'renamed';
  if (day > days.lastOver) return day > days.today ? 'future' : 'session-open';
  return days.isSession(day) ? undefined : 'no-session';
}

/**
 * Reads the close of a row, as the source wrote it: not rounded and not adjusted. Open, high, low
 * and volume are read where they are valid; an invalid one does not reject the row.
 */
export function readClose(
  row: CellRow,
  columns: SeriesColumns,
  day: EpochDay,
  target: CloseTarget,
  rules: CellRules,
): DailyClose | RejectReason {
  const cell = parsePrice(cellAt(row, columns.close), rules.decimal, target) / rules.scale;
  if (Number.isNaN(cell)) return 'no-number';
  const { instrument } = target;
  if (isOtherCurrency(rules.currencyOf(row, columns, instrument), instrument)) {
    return 'other-currency';
  }
  // A file may have -0 for a rate, which no response may show (contract 2.1.3).
  const close = cell === 0 ? 0 : cell;
  const judgement = judge({ day, close }, { kind: instrument.kind, actions: [] });
  if (judgement.verdict === 'refused') return judgement.reason;
  const open = side(row, columns.open, target, rules);
  const high = side(row, columns.high, target, rules);
  const low = side(row, columns.low, target, rules);
  const volume = volumeOf(row, columns.volume, target, rules);
  const source = sourceOf(row, columns.source, rules);
  if (source !== undefined && source !== rules.source && !isCloseSource(source)) {
    return 'bad-source';
  }
  if (source !== undefined && open !== undefined && high !== undefined && low !== undefined) {
    return { day, close, volume, open, high, low, source };
  }
  return {
    day,
    close,
    volume,
    ...(open !== undefined && { open }),
    ...(high !== undefined && { high }),
    ...(low !== undefined && { low }),
    ...(source !== undefined && { source }),
  };
}

/** The number in a cell. That of a rate in percent may have its sign. */
export function parsePrice(
  cell: string,
  decimal: Decimal,
  target: CloseTarget | undefined,
): number {
  const parse = target?.instrument.currency === '%' ? parsePercent : parseNumber;
  return parse(cell, decimal);
}

/** The source of a row. Undefined for an empty cell: the source is not known. */
function sourceOf(row: CellRow, column: number | undefined, rules: CellRules): string | undefined {
  if (column === undefined) return rules.source;
  const text = cellAt(row, column).trim();
  return text === '' ? undefined : text;
}

function side(
  row: CellRow,
  column: number | undefined,
  target: CloseTarget,
  { decimal, scale }: CellRules,
): number | undefined {
  if (column === undefined) return undefined;
  const value = parsePrice(cellAt(row, column), decimal, target) / scale;
  return Number.isNaN(value) || (target.isPrice && value <= 0) ? undefined : value;
}

function volumeOf(
  row: CellRow,
  column: number | undefined,
  { hasVolume }: CloseTarget,
  { decimal, volumeDecimals }: CellRules,
): number | null {
  if (column === undefined || !hasVolume) return null;
  const value = parseVolume(cellAt(row, column), volumeDecimals.get(column) ?? decimal);
  return value >= 0 ? value : null;
}

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
type CurrencyRule = (
  row: CellRow,
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
    return ofFile.getOrInsertComputed(name, () => currencyOfFile(file, name));
  };
}

/** Whether a stated currency is another one than that of an instrument. */
export function isOtherCurrency(stated: string | undefined, { currency }: Instrument): boolean {
  // A rate and a spread have no currency but a unit, such as `%` or `bp`.
  return stated !== undefined && stated !== currency && /^[A-Z]{3}$/.test(currency);
}

/** The words for a side. `buy` and `sell` are missing: they are those of the house or those of its client. */
const sides: Readonly<Record<string, 'bid' | 'ask'>> = {
  bid: 'bid',
  compra: 'bid',
  comprador: 'bid',
  ask: 'ask',
  offer: 'ask',
  venta: 'ask',
  vendedor: 'ask',
};

type Sides = Partial<Record<'bid' | 'ask', number>>;

/**
 * Finds the bids and asks of a table: headings that differ only in the word for the side, such as `compra` and
 * `venta`. The result says whether a close in a column of them contradicts itself, because the bid of its row
 * is above the ask.
 */
export function crossedRuleOf({
  header,
  decimal,
}: Pick<SettledReading, 'header' | 'decimal'>): (row: CellRow, close: number) => boolean {
  const byRest = new Map<string, Sides>();
  const byColumn = new Map<number, Sides>();
  for (const [column, heading] of header.entries()) {
    const words = foldHeading(heading).split(/[\s_:()-]+/);
    const found = words.map((word) => (Object.hasOwn(sides, word) ? sides[word] : undefined));
    const [only, ...others] = found.filter((one) => one !== undefined);
    if (only === undefined || others.length > 0) continue;
    const rest = words.filter((_, at) => found[at] === undefined).join(' ');
    const pair = byRest.getOrInsertComputed(rest, () => ({}));
    pair[only] = column;
    byColumn.set(column, pair);
  }
  return (row, close) => {
    const { bid, ask } = byColumn.get(close) ?? {};
    if (bid === undefined || ask === undefined) return false;
    const [low, high] = [bid, ask].map((column) => parseNumber(cellAt(row, column), decimal));
    return low !== undefined && high !== undefined && high > 0 && low > high;
  };
}
