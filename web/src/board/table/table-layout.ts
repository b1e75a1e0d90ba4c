import { useComputed, useSignal, type ReadonlySignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';

import type { Quote } from '../../market/api/quote.ts';
import { nameParts } from '../../market/format/instrument-name.ts';
import { absent } from '../../market/format/numbers.ts';
import { today } from '../../market/health-watch.ts';
import { changeUnitOf, instruments } from '../../market/instruments.ts';
import { isSmall } from '../../ui/screen-size.ts';
import { unfitFields } from './fit-columns.ts';
import { chosenColumns, showsAll } from '../state/chosen-columns.ts';
import { useBoard } from '../state/board-context.ts';
import { density } from '../state/board-state.ts';
import { decimalsOf, type Column, type ColumnField } from '../../market/columns.ts';

/** Prices with up to this number of decimals are aligned at the comma. */
const alignedDecimalsMax = 4;
/** The same on a small screen, where the change must be in view beside the price. */
const smallAlignedDecimalsMax = 2;

/** The sizes that the styles give to cells, in pixels. */
const spaces = {
  comfortable: { value: 18, change: 32, least: 66, drawn: 104, title: 7, name: 200 },
  compact: { value: 14, change: 28, least: 54, drawn: 86, title: 6.9, name: 150 },
} as const;
/** The space around values on a small screen. */
const smallSpaces = { value: 14, change: 28 } as const;
/** The space around a ticker in its column, without the gutter. */
const tickerSpacePx = 36;
/** The width of the instrument column of a small screen, with the gutter (`board.css`). */
const smallFirstPx = 140;
/** The width of a letter of a name. */
const nameLetterPx = 6.9;

/** The layout of the table. */
interface TableLayout {
  /** The columns after the instrument column that fit, or all if the table scrolls. */
  readonly columns: readonly Column[];
  /** The fields of the chosen columns that are left out. */
  readonly unfit: readonly ColumnField[];
  /** Whether the table is wider than its frame. */
  readonly isWide: boolean;
  /** Custom properties for the styles: the columns of the grid, and the width that they need. */
  readonly style: Readonly<Record<string, string>>;
  /** The maximum number of decimals of a price on the board. Other prices are aligned to it. */
  readonly decimals: number;
}

/**
 * Computes the width of each column from its longest text, so that no value overlaps the next
 * column, and leaves out the columns that do not fit beside each other. Each row is a separate grid, so the
 * browser cannot compute common widths. Columns only become wider, at most once a second, because a table
 * that changes its width with every price is unreadable.
 */
export function useTableLayout(size: FrameSize): TableLayout {
  const { live, dollars, bonds, factsOf } = useBoard();
  const widths = useRef(new Map<Column, number>());
  const filled = useRef(new Set<Column>());
  const measured = useRef(new WeakSet<Quote>());
  const before = useRef<readonly unknown[]>([]);
  const latest = useRef<TableLayout | undefined>(undefined);
  const decimals = useRef(2);
  return useComputed(() => {
    void live.moment.value;
    const columns = chosenColumns.value;
    const known = instruments.value;
    const rows = live.rows();
    const alignedMax = isSmall.value ? smallAlignedDecimalsMax : alignedDecimalsMax;
    for (const { quote } of rows) {
      if (quote === undefined) continue;
      const wanted = Math.min(alignedMax, decimalsOf(quote));
      decimals.current = Math.max(decimals.current, wanted);
    }
    // A quote is measured once, unless something changes the texts of all quotes.
    const context = [columns, known, decimals.current, dollars.value, bonds.value];
    if (context.some((one, at) => one !== before.current[at])) measured.current = new WeakSet();
    before.current = context;
    for (const { ticker, quote } of rows) {
      if (quote === undefined || measured.current.has(quote)) continue;
      measured.current.add(quote);
      const facts = { quote, ...factsOf(ticker) };
      const own = decimalsOf(quote);
      // Before the unit is known, it has the room of the wider one, so that no column moves later.
      const unit = changeUnitOf(facts.info) ?? 'points';
      const how = { unit, decimals: own, today: today.value };
      const shift = Math.max(0, decimals.current - own);
      for (const column of columns) {
        const shown = column.format(facts, how);
        if (shown !== absent) filled.current.add(column);
        const text = textWidth(shown);
        const width = text + (column.isPrice === true ? shift : 0);
        widths.current.set(column, Math.max(widths.current.get(column) ?? 0, width));
      }
    }
    const tickers = live.tickers.value;
    const first = isSmall.value
      ? smallFirstPx - size.gutter.value
      : firstWidth(tickers, size.digit.value);
    // Figures of bonds and implied dollars may come later than the quotes.
    const isEmpty = (column: Column) =>
      widths.current.has(column) && !filled.current.has(column) && column.isOfQuote === true;
    const next = layoutOf(columns, widths.current, isEmpty, first, size, decimals.current);
    // An equal layout is the same object, so that it redraws nothing.
    if (latest.current === undefined || !isEqual(latest.current, next)) latest.current = next;
    return latest.current;
  }).value;
}

function isEqual(left: TableLayout, right: TableLayout): boolean {
  if (left.columns.length !== right.columns.length) return false;
  if (left.columns.some((column, at) => column !== right.columns[at])) return false;
  const { columns: _left, ...leftRest } = left;
  const { columns: _right, ...rightRest } = right;
  return JSON.stringify(leftRest) === JSON.stringify(rightRest);
}

/** The width that the instrument column needs: its longest ticker, and the end of a name after it. */
function firstWidth(tickers: readonly string[], digitPx: number): number {
  const known = instruments.value;
  const needed = tickers.map((ticker) => {
    const [, tail] = nameParts(known.get(ticker)?.nombre ?? '');
    return ticker.length * 1.2 * digitPx + tickerSpacePx + tail.length * nameLetterPx;
  });
  return Math.ceil(Math.max(spaces[density.value].name, ...needed));
}

function layoutOf(
  chosen: readonly Column[],
  widths: ReadonlyMap<Column, number>,
  isEmpty: (column: Column) => boolean,
  firstPx: number,
  { width, digit, gutter }: FrameSize,
  decimals: number,
): TableLayout {
  const own = { ...spaces[density.value], ...(isSmall.value ? smallSpaces : {}) };
  const measured = chosen.map((column) => {
    const { field, title, isChange, isDrawn, sample = '' } = column;
    const space = isChange === true ? own.change : own.value;
    const digits = Math.max(widths.get(column) ?? 0, textWidth(sample));
    const text = digits * digit.value * 1.03 + space;
    const least = Math.max(own.least, title.length * own.title + own.value, text);
    const ownWidth = Math.ceil(isDrawn === true ? own.drawn : least);
    return { field, column, width: ownWidth, isEmpty: isEmpty(column) };
  });
  const available = width.value - firstPx - 2 * gutter.value;
  const isMeasured = width.value > 0;
  const unfit = isMeasured && !showsAll.value ? unfitFields(measured, available) : [];
  const shown = measured.filter(({ field }) => !unfit.includes(field));
  const needed = shown.reduce((sum, column) => sum + column.width, 0);
  return {
    columns: shown.map(({ column }) => column),
    unfit,
    isWide: isMeasured && needed > available,
    style: {
      '--first-least': `${firstPx}px`,
      '--columns': `var(--first-column) ${shown.map((one) => `minmax(${one.width}px, 1fr)`).join(' ')}`,
      '--columns-least': `calc(var(--first-column-least) + ${needed}px)`,
    },
    decimals,
  };
}

/** The width of a formatted value in digits, rounded up to a half. All digits have the same width. */
function textWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    width += narrow.has(character) ? 0.5 : /\p{Lu}/u.test(character) ? 1.2 : 1;
  }
  return Math.ceil(width * 2) / 2;
}

/** Characters that are about half as wide as a digit: marks, and the "t" of "pts". */
const narrow: ReadonlySet<string> = new Set(['.', ',', ':', '/', '\u00a0', 't']);

/** The sizes that decide which columns fit, in pixels. Zero until the frame is laid out. */
interface FrameSize {
  /** The inner width of the frame. */
  readonly width: ReadonlySignal<number>;
  /** The width of a digit of the table. */
  readonly digit: ReadonlySignal<number>;
  /** The space at each side of the table. */
  readonly gutter: ReadonlySignal<number>;
}

/** The number of digits in the element that is measured. */
export const probeText = '0000000000';

/**
 * Measures the frame of a table, and an element with {@link probeText} in the font of its cells and with the
 * height of a gutter: the font may be loaded after the first drawing.
 */
export function useFrameSize(frame: RefObject<HTMLElement | null>): FrameSize & {
  readonly probe: RefObject<HTMLSpanElement | null>;
} {
  const probe = useRef<HTMLSpanElement>(null);
  const width = useSignal(0);
  const digit = useSignal(0);
  const gutter = useSignal(0);
  useLayoutEffect(() => {
    const measure = () => {
      const [box, text] = [frame.current, probe.current];
      if (box === null || text === null) return;
      width.value = box.clientWidth;
      const probed = text.getBoundingClientRect();
      digit.value = probed.width / probeText.length;
      gutter.value = probed.height;
    };
    // An observer measures first after the layout of the next frame and before its painting. A measurement
    // here would need a layout of its own.
    const observer = new ResizeObserver(measure);
    for (const { current } of [frame, probe]) if (current !== null) observer.observe(current);
    return () => observer.disconnect();
  }, [frame, width, digit, gutter]);
  return { width, digit, gutter, probe };
}
