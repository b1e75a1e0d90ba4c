/** What a tile shows, and the size of its ticker in pixels. */
interface TileLabel {
  readonly size: number;
  readonly lines: 'ticker' | 'both' | 'none';
}

const sizeMax = 30;
/** With both lines, the change has four fifths of this size. */
const bothMin = 11;
const tickerMin = 9;
/** The width of most wide characters of a ticker, in parts of its size. */
const characterWidth = 0.72;
/** The widths of those that are wider still. */
const widest: ReadonlyMap<string, number> = new Map([
  ['M', 0.92],
  ['W', 1.04],
]);
/** The number of characters of most changes: `−12,34 %` is smaller than the ticker. */
const changeLength = 6;
const padding = 4;

/** The label that fits into a tile: ticker and change, the ticker alone, or none. */
export function tileLabel(
  ticker: string,
  { width, height }: { readonly width: number; readonly height: number },
): TileLabel {
  const fitting = (widthEm: number, lines: number) =>
    Math.min(
      sizeMax,
      Math.floor(((width - padding) / widthEm) * 2) / 2,
      Math.floor((height - padding / 2) / lines),
    );
  const tickerEm = Array.from(ticker).reduce(
    (sum, character) => sum + (widest.get(character) ?? characterWidth),
    0,
  );
  const both = fitting(Math.max(changeLength * characterWidth, tickerEm), 2.4);
  if (both >= bothMin) return { size: both, lines: 'both' };
  const alone = Math.min(fitting(tickerEm, 1.2), bothMin + 2);
  return alone >= tickerMin ? { size: alone, lines: 'ticker' } : { size: tickerMin, lines: 'none' };
}
