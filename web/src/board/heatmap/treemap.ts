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
  const total = weights.reduce((sum, weight) => sum + weight, 0);
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
