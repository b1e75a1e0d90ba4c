import { useComputed } from '@preact/signals';
import { useRef } from 'preact/hooks';

import { buenosAiresDay } from '../format/buenos-aires.ts';
import { serviceNow } from '../market/health-watch.ts';
import { changeUnitOf, instruments } from '../market/instruments.ts';
import type { LiveQuotes } from '../market/live-quotes.ts';
import { columns, decimalsOf } from './columns.ts';

/** Prices with up to this number of decimals are aligned at the comma. */
const alignedDecimalsMax = 4;

/** The layout of the table. */
export interface TableLayout {
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

/** The width of a formatted value in digits, rounded up. All digits have the same width. */
function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += narrow.has(character) ? 0.5 : 1;
  return Math.ceil(width);
}

/** Characters that are at most half as wide as a digit. */
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
