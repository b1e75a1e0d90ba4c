import { treemap } from './treemap.ts';
import type { Rect } from './treemap.ts';

/** The least size of a tile, in pixels: a short ticker can be read, and a finger or a pointer hits it. */
const cell = { width: 44, height: 26 };
/** A tile whose area is below this one is a cell of the grid. It leaves room for narrow shapes. */
const areaMin = 1.6 * cell.width * cell.height;
/** The part of the map that the grid may have. More cells would make the areas of all others wrong. */
const gridPartMax = 0.45;
/** Tickers are wider than high, so tiles are too. */
const shape = 1.35;

/** Every tile should have this size: a ticker of five characters, and a target of WCAG 2.2 (2.5.8). */
const least = { width: 36, height: 24 };
/** The number of further divisions that are tried. */
const attemptsMax = 40;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The places of the tiles of a map. */
interface TileLayout {
  /** One for each of the first weights, in their order. */
  readonly rects: readonly Rect[];
  /** The place of the tile that stands for the weights without a rectangle of their own. */
  readonly rest: Rect | undefined;
}

/**
 * Divides a map among weights. The area of a large weight is in proportion to it. The small ones are the
 * equal cells of a grid at the end, so that each can be read; those that do not fit share the last cell.
 *
 * @param weights positive and in descending order.
 */
export function layoutTiles(weights: readonly number[], size: Size): TileLayout {
  const most = largeCount(weights, size);
  let best: TileLayout = { rects: [], rest: undefined };
  let bestFit = -1;
  // The last tiles of a division can be narrow strips. A few more cells give another division.
  for (let large = most; large >= Math.max(0, most - attemptsMax); large -= 1) {
    const layout = divide(weights, large, size);
    const fit = Math.min(
      ...layout.rects.map((rect) => Math.min(rect.width / least.width, rect.height / least.height)),
    );
    if (fit > bestFit) [best, bestFit] = [layout, fit];
    if (fit >= 1) break;
  }
  return best;
}

/** Divides a map with the first weights in proportion, and the others in the grid. */
function divide(weights: readonly number[], large: number, { width, height }: Size): TileLayout {
  const area = width * height;
  const cells = Math.min(weights.length - large, cellsMax(area));
  const grid = cells * cell.width * cell.height;
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
  const all = [...places.slice(0, large), ...inGrid];
  return all.length < weights.length
    ? { rects: all.slice(0, -1), rest: all.at(-1) }
    : { rects: all, rest: undefined };
}

/** The number of weights whose areas in proportion are large enough. */
function largeCount(weights: readonly number[], { width, height }: Size): number {
  const area = width * height;
  let large = weights.length;
  for (;;) {
    const cells = Math.min(weights.length - large, cellsMax(area));
    const free = area - cells * cell.width * cell.height;
    const sum = sumOf(weights.slice(0, large));
    const firstSmall = weights.findIndex((weight) => (weight / sum) * free < areaMin);
    if (firstSmall === -1 || firstSmall >= large) return large;
    large = firstSmall;
  }
}

function cellsMax(area: number): number {
  return Math.floor((gridPartMax * area) / (cell.width * cell.height));
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
