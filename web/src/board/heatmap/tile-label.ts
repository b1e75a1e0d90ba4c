/** What a tile shows, and the size of its ticker in pixels. */
interface TileLabel {
  readonly size: number;
  readonly lines: 'ticker' | 'both' | 'none';
}

const sizeMax = 30;
/** With both lines, the change has four fifths of this size. */
const bothMin = 11;
const tickerMin = 9;
/** The width of a wide character of a ticker, in parts of its size. */
const characterWidth = 0.72;
/** The number of characters of most changes: `−12,34 %` is smaller than the ticker. */
const changeLength = 6;
const padding = 4;

/** The label that fits into a tile: ticker and change, the ticker alone, or none. */
export function tileLabel(
  ticker: string,
  { width, height }: { readonly width: number; readonly height: number },
): TileLabel {
  const fitting = (length: number, lines: number) =>
    Math.min(
      sizeMax,
      Math.floor(((width - padding) / (length * characterWidth)) * 2) / 2,
      Math.floor((height - padding / 2) / lines),
    );
  const both = fitting(Math.max(changeLength, ticker.length), 2.4);
  if (both >= bothMin) return { size: both, lines: 'both' };
  const alone = Math.min(fitting(ticker.length, 1.2), bothMin + 2);
  return alone >= tickerMin ? { size: alone, lines: 'ticker' } : { size: tickerMin, lines: 'none' };
}
