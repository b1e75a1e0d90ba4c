import { useComputed } from '@preact/signals';
import { useRef } from 'preact/hooks';

import type { Quote } from '../../market/api/quote.ts';
import { today } from '../../market/health-watch.ts';
import { changeUnitOf, instruments } from '../../market/instruments.ts';
import type { LiveQuotes } from '../../market/live-quotes.ts';
import { chosenColumns } from '../state/chosen-columns.ts';
import { decimalsOf } from '../../market/columns.ts';
import type { Column } from '../../market/columns.ts';

/** Prices with up to this number of decimals are aligned at the comma. */
const alignedDecimalsMax = 4;

/** The layout of the table. */
export interface TableLayout {
  /** The columns after the instrument column. */
  readonly columns: readonly Column[];
  /** Custom properties for the styles: the columns of the grid, and its minimum width. */
  readonly style: Readonly<Record<string, string>>;
  /** The maximum number of decimals of a price on the board. Other prices are aligned to it. */
  readonly decimals: number;
}

/**
 * Computes the width of each column from its longest text, so that no value overlaps the next
 * column. Each row is a separate grid, so the browser cannot compute common widths. Columns only
 * become wider, at most once a second, because a table that changes its width with every price is
 * unreadable.
 */
export function useTableLayout(live: LiveQuotes): TableLayout {
  const widths = useRef(new Map<Column, number>());
  const measured = useRef(new WeakSet<Quote>());
  const before = useRef<readonly unknown[]>([]);
  const latest = useRef<TableLayout | undefined>(undefined);
  const decimals = useRef(2);
  return useComputed(() => {
    void live.moment.value;
    const columns = chosenColumns.value;
    const known = instruments.value;
    const tickers = live.tickers.value;
    const quotes = live.rows().flatMap(({ quote }) => (quote === undefined ? [] : [quote]));
    for (const quote of quotes) {
      const wanted = Math.min(alignedDecimalsMax, decimalsOf(quote));
      decimals.current = Math.max(decimals.current, wanted);
    }
    // A quote is measured once, unless something changes the texts of all quotes.
    const context = [columns, known, decimals.current];
    if (context.some((one, at) => one !== before.current[at])) measured.current = new WeakSet();
    before.current = context;
    for (const quote of quotes) {
      if (measured.current.has(quote)) continue;
      measured.current.add(quote);
      const unit = changeUnitOf(known.get(quote.especie));
      const own = decimalsOf(quote);
      const shift = Math.max(0, decimals.current - own);
      for (const column of columns) {
        const text = textWidth(column.format(quote, { unit, decimals: own, today: today.value }));
        const width = text + (column.isPrice === true ? shift : 0);
        widths.current.set(column, Math.max(widths.current.get(column) ?? 0, width));
      }
    }
    const ticker = Math.max(0, ...tickers.map(({ length }) => length));
    const style = styleOf(ticker, columns, widths.current);
    const next = { columns, style, decimals: decimals.current };
    // An equal layout is the same object, so that it redraws nothing.
    const isEqual = latest.current?.columns === columns && sameText(latest.current, next);
    if (!isEqual) latest.current = next;
    return latest.current ?? next;
  }).value;
}

function sameText({ style, decimals }: TableLayout, other: TableLayout): boolean {
  return decimals === other.decimals && JSON.stringify(style) === JSON.stringify(other.style);
}

/** The width of a formatted value in digits, rounded up. All digits have the same width. */
function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += narrow.has(character) ? 0.5 : 1;
  return Math.ceil(width);
}

/** Characters that are at most half as wide as a digit. */
const narrow: ReadonlySet<string> = new Set(['.', ',', ':', '/', '\u00a0']);

function styleOf(
  ticker: number,
  columns: readonly Column[],
  widths: ReadonlyMap<Column, number>,
): Readonly<Record<string, string>> {
  const least = columns.map((column) => {
    if (column.isDrawn === true) return 'var(--drawn)';
    const width = widths.get(column) ?? 0;
    const padding = `var(--padding-${column.isChange === true ? 'change' : 'value'})`;
    return `max(var(--column-least), calc(${width} * var(--digit) + ${padding}))`;
  });
  return {
    '--ticker': String(ticker),
    '--columns': `var(--first-column) ${least.map((one) => `minmax(${one}, 1fr)`).join(' ')}`,
    '--columns-least': `calc(var(--first-column-least) + ${least.join(' + ')})`,
  };
}
