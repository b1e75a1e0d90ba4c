import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import { hasUnits } from '../../domain/history/action-evidence.ts';
import { isFactor, type CorporateAction } from '../../domain/history/corporate-action.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { parseNumber, type Decimal } from '../cells/number-format.ts';
import { cellAt, type CellRow } from '../cells/table.ts';
import { parseQuotient } from './action-fields.ts';
import type { RejectReason } from '../closes/read-close.ts';
import { foldHeading } from '../layouts/headings.ts';
import type { Reading, SeriesColumns } from '../layouts/layout.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';

/** A column of corporate actions among those of prices. */
type ActionColumn = 'dividend' | 'split';

/** The headings of each column, lower-case, without spaces, `-`, `_` and a number in front (`7. dividend amount`). */
const words: Readonly<Record<ActionColumn, string>> = {
  dividend:
    'dividend, dividends, dividendamount, dividendcash, divcash, cashdividend, cashdividends, exdividend, dividendo, dividendos',
  split:
    'split, splits, stocksplit, stocksplits, splitfactor, splitcoefficient, splitratio, desdoblamiento, desdoblamientos',
};

/** What a heading means, if it is that of a dividend or of a split. */
function actionColumnOf(heading: string): ActionColumn | undefined {
  const word = foldHeading(heading)
    .replace(/^\d+[a-z]?\.\s*/, '')
    .replaceAll(/[\s_-]+/g, '');
  const columns = Object.keys(words) as ActionColumn[];
  return columns.find((column) => words[column].split(', ').includes(word));
}

/** A reading with its columns of dividends and splits, and their headings. */
interface WithActionColumns<R> {
  readonly reading: R;
  /** As the file has them, each once. */
  readonly headings: readonly string[];
}

/**
 * Finds the columns of dividends and of splits. A layout whose columns are named for each instrument has
 * found them itself; in a matrix, a heading is an instrument.
 *
 * @throws {ImportRefusal} `ambiguous` when they are `wanted` and several columns could be one of them.
 */
export function withActionColumns<R extends Reading>(
  reading: R,
  isWanted: boolean,
): WithActionColumns<R> {
  const { series, unused } = reading;
  const [only, ...others] = series;
  const isOfHeadings = series.some(({ ticker }) => ticker.type === 'heading');
  if (only === undefined || others.length > 0 || isOfHeadings) {
    return { reading, headings: headingsOf(reading) };
  }
  const dividend = onlyColumn('dividend', reading, only, isWanted);
  const split = onlyColumn('split', reading, only, isWanted);
  const columns = {
    ...only,
    ...(dividend !== undefined && { dividend }),
    ...(split !== undefined && { split }),
  };
  const found = { ...reading, series: [columns] };
  const headings = headingsOf(found);
  if (unused === undefined) return { reading: found, headings };
  return {
    reading: { ...found, unused: unused.filter((name) => !headings.includes(name)) },
    headings,
  };
}

function onlyColumn(
  wanted: ActionColumn,
  { header }: Reading,
  { close }: SeriesColumns,
  isWanted: boolean,
): number | undefined {
  const places = header.flatMap((heading, index) =>
    index !== close && actionColumnOf(heading) === wanted ? [index] : [],
  );
  if (places.length < 2) return places[0];
  if (!isWanted) return undefined;
  const names = places.map((index) => `"${header[index] ?? ''}"`).join(' or ');
  throw new ImportRefusal(
    'ambiguous',
    `the ${wanted}s may be in ${names}; remove all but one of these columns`,
  );
}

function headingsOf({ header, series }: Reading): readonly string[] {
  const places = series.flatMap(({ dividend, split }) => [dividend, split]);
  const names = places.flatMap((index) => (index === undefined ? [] : [header[index] ?? '']));
  return [...new Set(names)];
}

/** How programs write that a row has no action. */
const nothing = /^(?:|-+|–|nan|null|none|n\/?a)$/i;

/** What the cells of a row are read with. */
interface ActionCellRules {
  readonly decimal: Decimal;
  /** Where the actions are read: the imported file. */
  readonly source: string;
}

/**
 * The dividend and the split in the cells of a row. The date of the row is the ex date, and the currency
 * that of the instrument. A cell that cannot be read is a reason. A dividend of 0, and a split of 0 or 1,
 * say that there is none.
 */
export function actionsInRow(
  row: CellRow,
  columns: Pick<SeriesColumns, 'dividend' | 'split'>,
  exDay: EpochDay,
  instrument: Instrument,
  { decimal, source }: ActionCellRules,
): readonly (CorporateAction | RejectReason)[] {
  const { ticker, currency, kind } = instrument;
  const base = { ticker, exDay, source };
  const found: (CorporateAction | RejectReason)[] = [];
  const amount = numberIn(row, columns.dividend, (cell) => clearNumber(cell, decimal));
  if (Number.isNaN(amount) || amount < 0) found.push('bad-dividend');
  else if (amount > 0) {
    const isPayable = /^[A-Z]{3}$/.test(currency);
    const dividend = { ...base, type: 'cash-dividend', amount, currency } as const;
    found.push(isPayable ? dividend : 'no-such-action');
  }
  const factor = numberIn(row, columns.split, (cell) =>
    parseQuotient(cell, (part) => clearNumber(part, decimal)),
  );
  if (factor !== 0 && !isFactor(factor)) found.push('bad-split');
  else if (factor !== 0 && factor !== 1) {
    found.push(hasUnits(kind) ? { ...base, type: 'split', factor } : 'no-such-action');
  }
  return found;
}

function numberIn(
  row: CellRow,
  column: number | undefined,
  parse: (cell: string) => number,
): number {
  const cell = column === undefined ? '' : cellAt(row, column).trim();
  return nothing.test(cell) ? 0 : parse(cell);
}

/**
 * A number whose only sign is the decimal one of the file. A dividend of `1,250` in a file with a decimal
 * point may be 1250 or 1.25, so it is not read.
 */
function clearNumber(cell: string, decimal: Decimal): number {
  const other = decimal === '.' ? ',' : '.';
  return cell.includes(other) && !cell.includes(decimal) ? Number.NaN : parseNumber(cell, decimal);
}
