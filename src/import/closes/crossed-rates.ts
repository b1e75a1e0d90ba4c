import { parseNumber } from '../cells/number-format.ts';
import { cellAt, type Row } from '../cells/table.ts';
import { foldHeading } from '../layouts/headings.ts';
import type { SettledReading } from '../recognition/recognise.ts';

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
}: Pick<SettledReading, 'header' | 'decimal'>): (row: Row, close: number) => boolean {
  const byRest = new Map<string, Sides>();
  const byColumn = new Map<number, Sides>();
  for (const [column, heading] of header.entries()) {
    const words = foldHeading(heading).split(/[\s_:()-]+/);
    const side = words.map((word) => (Object.hasOwn(sides, word) ? sides[word] : undefined));
    const [only, ...others] = side.filter((one) => one !== undefined);
    if (only === undefined || others.length > 0) continue;
    const rest = words.filter((_, at) => side[at] === undefined).join(' ');
    const pair = byRest.get(rest) ?? {};
    pair[only] = column;
    byRest.set(rest, pair);
    byColumn.set(column, pair);
  }
  return (row, close) => {
    const { bid, ask } = byColumn.get(close) ?? {};
    if (bid === undefined || ask === undefined) return false;
    const [low, high] = [bid, ask].map((column) => parseNumber(cellAt(row, column), decimal));
    return low !== undefined && high !== undefined && high > 0 && low > high;
  };
}
