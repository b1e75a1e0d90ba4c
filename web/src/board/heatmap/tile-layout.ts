import { treemap, type Rect } from './treemap.ts';

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
