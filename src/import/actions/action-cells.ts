import { hasUnits } from '../../domain/history/action-evidence.ts';
import { isFactor, type CorporateAction } from '../../domain/history/corporate-action.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import { parseNumber, type Decimal } from '../cells/number-format.ts';
import { cellAt, type Row } from '../cells/table.ts';
import type { SeriesColumns } from '../layouts/layout.ts';
import type { RejectReason } from '../closes/read-close.ts';

/** How programs write that a row has no action. */
const nothing = /^(?:|-+|–|nan|null|none|n\/?a)$/i;

/** What the cells of a row are read with. */
export interface ActionCellRules {
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
  row: Row,
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
  const factor = numberIn(row, columns.split, (cell) => factorIn(cell, decimal));
  if (factor !== 0 && !isFactor(factor)) found.push('bad-split');
  else if (factor !== 0 && factor !== 1) {
    found.push(hasUnits(kind) ? { ...base, type: 'split', factor } : 'no-such-action');
  }
  return found;
}

function numberIn(row: Row, column: number | undefined, parse: (cell: string) => number): number {
  const cell = column === undefined ? '' : cellAt(row, column).trim();
  return nothing.test(cell) ? 0 : parse(cell);
}

/** A factor, or new units to old units: `4`, `4:1`, `4/1`. 0 to 0 is none of them. */
function factorIn(cell: string, decimal: Decimal): number {
  const [first = '', second, ...more] = cell.split(/[:/]/);
  if (second === undefined) return clearNumber(first, decimal);
  const [units, old] = [clearNumber(first, decimal), clearNumber(second, decimal)];
  return more.length === 0 && units > 0 && old > 0 ? units / old : Number.NaN;
}

/**
 * A number whose only sign is the decimal one of the file. A dividend of `1,250` in a file with a decimal
 * point may be 1250 or 1.25, so it is not read.
 */
function clearNumber(cell: string, decimal: Decimal): number {
  const other = decimal === '.' ? ',' : '.';
  return cell.includes(other) && !cell.includes(decimal) ? Number.NaN : parseNumber(cell, decimal);
}
