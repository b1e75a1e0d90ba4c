/** The size of the ticker of a tile in pixels, and whether the tile has room for it and its change. */
interface TileLabel {
  readonly size: number;
  readonly isWritten: boolean;
}

const sizeMax = 30;
const sizeMin = 9;
/** The width of most wide characters of a ticker, in parts of its size. */
const characterWidth = 0.72;
/** The widths of those that are wider still. */
const widest: ReadonlyMap<string, number> = new Map([
  ['M', 0.92],
  ['W', 1.04],
]);
/** The width of most changes, which are smaller than the ticker, in parts of its size. */
const changeEm = 4.2;
const padding = 4;

/** The label that fits into a tile: ticker and change, or none. */
export function tileLabel(
  ticker: string,
  { width, height }: { readonly width: number; readonly height: number },
): TileLabel {
  const tickerEm = Array.from(ticker).reduce(
    (sum, character) => sum + (widest.get(character) ?? characterWidth),
    0,
  );
  const widthEm = Math.max(changeEm, tickerEm);
  const size = Math.min(
    sizeMax,
    Math.floor(((width - padding) / widthEm) * 2) / 2,
    Math.floor((height - padding / 2) / 2.4),
  );
  return { size: Math.max(size, sizeMin), isWritten: size >= sizeMin };
}
