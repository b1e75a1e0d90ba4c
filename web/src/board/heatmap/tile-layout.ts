/** The least size of a tile, in pixels: a ticker with its change can be read, and a finger or a pointer hits it. */
const cell = { width: 46, height: 25 };
/** A tile whose area is below this one is a cell of the grid. It leaves room for narrow shapes. */
const areaMin = 1.6 * cell.width * cell.height;
/** The part of the map that the grid may have. More would leave no room for areas in proportion. */
const gridPartMax = 0.6;
/** Tickers are wider than high, so tiles are too. */
const shape = 1.35;

/** Every tile should have this size: a change of six characters below a ticker. */
const least = { width: 42, height: 24 };
/** The number of further divisions that are tried. */
const attemptsMax = 40;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The least height of a map on which a number of tiles can be read, in pixels. */
export function leastHeight(count: number, width: number): number {
  return width === 0 ? 0 : Math.ceil((count * cell.width * cell.height) / gridPartMax / width);
}

/**
 * Divides a map among weights. The area of a large weight is in proportion to it. The small ones are the
 * equal cells of a grid at the end, so that each can be read if the map has its {@link leastHeight}.
 *
 * @param weights positive and in descending order.
 * @returns a rectangle for each weight, in their order.
 */
export function layoutTiles(weights: readonly number[], size: Size): readonly Rect[] {
  const most = largeCount(weights, size);
  let best: readonly Rect[] = [];
  let bestFit = -1;
  // The last tiles of a division can be narrow strips. A few more cells give another division.
  for (let large = most; large >= Math.max(0, most - attemptsMax); large -= 1) {
    const layout = divide(weights, large, size);
    const fit = Math.min(
      ...layout.map((rect) => Math.min(rect.width / least.width, rect.height / least.height)),
    );
    if (fit > bestFit) [best, bestFit] = [layout, fit];
    if (fit >= 1) break;
  }
  return best;
}

/** Divides a map with the first weights in proportion, and the others in the grid. */
function divide(
  weights: readonly number[],
  large: number,
  { width, height }: Size,
): readonly Rect[] {
  const area = width * height;
  const cells = weights.length - large;
  const grid = gridArea(cells, area);
  const shown = weights.slice(0, large);
  const sum = sumOf(shown);
  const areas = shown.map((weight) => (weight / sum) * (area - grid));
  const whole = { x: 0, y: 0, width: width / shape, height };
  const places = treemap(cells > 0 ? [...areas, grid] : areas, whole).map((rect) => ({
    ...rect,
    x: rect.x * shape,
    width: rect.width * shape,
  }));
  const block = cells > 0 ? places.at(-1) : undefined;
  const inGrid = block === undefined ? [] : gridCells(cells, block);
  return [...places.slice(0, large), ...inGrid];
}

/** The number of weights whose areas in proportion are large enough. */
function largeCount(weights: readonly number[], { width, height }: Size): number {
  const area = width * height;
  let large = weights.length;
  for (;;) {
    const free = area - gridArea(weights.length - large, area);
    const sum = sumOf(weights.slice(0, large));
    const firstSmall = weights.findIndex((weight) => (weight / sum) * free < areaMin);
    if (firstSmall === -1 || firstSmall >= large) return large;
    large = firstSmall;
  }
}

/** The area of the grid of a map. */
function gridArea(cells: number, area: number): number {
  return Math.min(cells * cell.width * cell.height, gridPartMax * area);
}

function sumOf(weights: readonly number[]): number {
  return weights.reduce((total, weight) => total + weight, 0);
}

/** Divides a rectangle into equal rows of cells that are wider than high. */
function gridCells(count: number, { x, y, width, height }: Rect): readonly Rect[] {
  const ideal = Math.sqrt(((width * height) / count) * (cell.height / cell.width));
  const rows = Math.min(count, Math.max(1, Math.round(height / ideal)));
  return Array.from({ length: rows }, (_, row) => {
    const first = Math.round((row * count) / rows);
    const inRow = Math.round(((row + 1) * count) / rows) - first;
    return Array.from({ length: inRow }, (__, at) => ({
      x: x + (at * width) / inRow,
      y: y + (row * height) / rows,
      width: width / inRow,
      height: height / rows,
    }));
  }).flat();
}

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

/** A rectangle, in the unit of its map. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Divides a rectangle into one rectangle for each weight, with areas in proportion to the weights and
 * shapes near squares (Bruls, Huizing, van Wijk: Squarified Treemaps, 2000).
 *
 * @param weights positive and in descending order.
 * @returns the rectangles, in the order of the weights.
 */
export function treemap(weights: readonly number[], whole: Rect): readonly Rect[] {
  const total = sumOf(weights);
  const scale = total === 0 ? 0 : (whole.width * whole.height) / total;
  const areas = weights.map((weight) => weight * scale);
  const rects: Rect[] = [];
  let rest = whole;
  let start = 0;
  while (start < areas.length) {
    const side = Math.min(rest.width, rest.height);
    let end = start + 1;
    let worst = worstRatio(areas.slice(start, end), side);
    while (end < areas.length) {
      const next = worstRatio(areas.slice(start, end + 1), side);
      if (next > worst) break;
      worst = next;
      end += 1;
    }
    rest = placeRow(areas.slice(start, end), rest, rects);
    start = end;
  }
  return rects;
}

/** The ratio of the longer to the shorter side of the narrowest rectangle of a row. */
function worstRatio(row: readonly number[], side: number): number {
  const sum = row.reduce((total, area) => total + area, 0);
  const [largest = 0, smallest = 0] = [row[0], row.at(-1)];
  const square = side * side;
  return Math.max((square * largest) / (sum * sum), (sum * sum) / (square * smallest));
}

/** Places a row along the shorter side, and returns what remains of the rectangle. */
function placeRow(row: readonly number[], rest: Rect, rects: Rect[]): Rect {
  const sum = row.reduce((total, area) => total + area, 0);
  const isTall = rest.width >= rest.height;
  const side = isTall ? rest.height : rest.width;
  // Rounding must not carry the last row beyond the rectangle.
  const depth = side === 0 ? 0 : Math.min(sum / side, isTall ? rest.width : rest.height);
  let at = 0;
  for (const area of row) {
    const length = depth === 0 ? 0 : area / depth;
    rects.push(
      isTall
        ? { x: rest.x, y: rest.y + at, width: depth, height: length }
        : { x: rest.x + at, y: rest.y, width: length, height: depth },
    );
    at += length;
  }
  return isTall
    ? { ...rest, x: rest.x + depth, width: Math.max(0, rest.width - depth) }
    : { ...rest, y: rest.y + depth, height: Math.max(0, rest.height - depth) };
}
