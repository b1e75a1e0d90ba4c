/** A marker with a text, in pixels. */
export interface LabelledPoint {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  /** The width of the text. */
  readonly width: number;
}

/** The place of a text: its left end and its middle. */
export interface Label {
  readonly x: number;
  readonly y: number;
  /** The side of the marker, as an index of the sides that are tried. */
  readonly side: number;
}

/** A rectangle, in pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const labelHeight = 14;
/** Half of the size of a marker. */
export const markerRadius = 7;

/** The directions in which a text may be, the best first: across and down. */
const sides: readonly (readonly [number, number])[] = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
  [1, -1],
  [1, 1],
  [-1, -1],
  [-1, 1],
];

/**
 * Places the texts of markers so that none covers a marker or another text, or leaves the frame. A text without
 * such a place is left out.
 *
 * @param before the sides of the last placement. A text stays where it was as long as that is free.
 */
export function placeLabels(
  points: readonly LabelledPoint[],
  frame: Box,
  before: ReadonlyMap<string, Label> = new Map(),
): ReadonlyMap<string, Label> {
  const taken: Box[] = points.map(markerBox);
  const placed = new Map<string, Label>();
  for (const point of points) {
    const last = before.get(point.id)?.side;
    const order = [...sides.keys()].toSorted((a, b) => Number(b === last) - Number(a === last));
    for (const side of order) {
      const label = labelAt(point, side);
      const box = labelBox(label, point.width);
      const isInside =
        box.left >= frame.left &&
        box.top >= frame.top &&
        box.right <= frame.right &&
        box.bottom <= frame.bottom;
      if (!isInside || taken.some((one) => overlap(one, box))) continue;
      taken.push(box);
      placed.set(point.id, label);
      break;
    }
  }
  return placed;
}

function labelAt({ x, y, width }: LabelledPoint, side: number): Label {
  const [across = 0, down = 0] = sides[side] ?? [];
  const away = down === 0 ? markerRadius + 3 : markerRadius;
  const left = across === 0 ? x - width / 2 : across > 0 ? x + away : x - away - width;
  return { x: left, y: y + down * (markerRadius + labelHeight / 2), side };
}

function labelBox({ x, y }: Label, width: number): Box {
  return { left: x, right: x + width, top: y - labelHeight / 2, bottom: y + labelHeight / 2 };
}

function markerBox({ x, y }: LabelledPoint): Box {
  const size = markerRadius - 1;
  return { left: x - size, right: x + size, top: y - size, bottom: y + size };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
