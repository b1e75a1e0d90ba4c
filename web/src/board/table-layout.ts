import { useComputed } from '@preact/signals';
import { useRef } from 'preact/hooks';

import { buenosAiresDay } from '../format/buenos-aires.ts';
import { serviceNow } from '../market/health-watch.ts';
import { changeUnitOf, instruments } from '../market/instruments.ts';
import type { LiveQuotes } from '../market/live-quotes.ts';
import { columns, decimalsOf } from './columns.ts';

/** Prices are aligned at the comma up to this number of decimals; longer ones reach further left. */
const alignedDecimalsMax = 4;

/** How the table is laid out. */
export interface TableLayout {
  /** Custom properties of the styles: the grid's columns, and the least width of the whole. */
  readonly style: Readonly<Record<string, string>>;
  /** The most decimals of a price on the board, to align the others by. */
  readonly decimals: number;
}

/**
 * Makes each column as wide as its longest text, so that no value reaches into the next column. Rows
 * are grids of their own, so the browser cannot do it. Columns only grow, at most once a second:
 * a table that becomes narrower and wider with each price cannot be read.
 */
export function useTableLayout(live: LiveQuotes): TableLayout {
  const widths = useRef<readonly number[]>(columns.map(() => 0));
  const decimals = useRef(2);
  return useComputed(() => {
    void live.moment.value;
    const tickers = live.tickers.value;
    const today = buenosAiresDay(serviceNow());
    const quotes = live.rows().flatMap(({ quote }) => (quote === undefined ? [] : [quote]));
    const wanted = quotes.map((quote) => Math.min(alignedDecimalsMax, decimalsOf(quote)));
    decimals.current = Math.max(decimals.current, ...wanted);
    for (const quote of quotes) {
      const unit = changeUnitOf(instruments.value.get(quote.especie));
      const own = decimalsOf(quote);
      const shift = Math.max(0, decimals.current - own);
      widths.current = columns.map(({ format, isPrice }, at) => {
        const text = textWidth(format(quote, { unit, decimals: own, today }));
        return Math.max(widths.current[at] ?? 0, text + (isPrice === true ? shift : 0));
      });
    }
    const ticker = Math.max(0, ...tickers.map(({ length }) => length));
    return { style: styleOf(ticker, widths.current), decimals: decimals.current };
  }).value;
}

/** The width of a formatted value in digits, which are all of one width. Rounded up. */
function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += narrow.has(character) ? 0.5 : 1;
  return Math.ceil(width);
}

/** The characters that are at most half as wide as a digit. */
const narrow: ReadonlySet<string> = new Set(['.', ',', ':', '/', '\u00a0']);

function styleOf(ticker: number, widths: readonly number[]): Readonly<Record<string, string>> {
  const least = widths.map((width, at) => {
    const padding = `var(--padding-${columns[at]?.isChange === true ? 'change' : 'value'})`;
    return `max(var(--column-least), calc(${width} * var(--digit) + ${padding}))`;
  });
  return {
    '--ticker': String(ticker),
    '--columns': `var(--first-column) ${least.map((one) => `minmax(${one}, 1fr)`).join(' ')}`,
    '--columns-least': `calc(var(--first-column-least) + ${least.join(' + ')})`,
  };
}
