/** Where something is, in any unit. */
interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const directions: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * The name of the place to which a key moves the focus: the next one in the direction of an arrow, the
 * first or the last. Undefined for another key, and where the places end.
 *
 * @param rects of the places by name, in their order.
 */
export function nextPlace(
  rects: ReadonlyMap<string, Rect>,
  from: string,
  key: string,
): string | undefined {
  if (key === 'Home') return [...rects.keys()][0];
  if (key === 'End') return [...rects.keys()].at(-1);
  const [across, down] = directions[key] ?? [0, 0];
  const start = rects.get(from);
  if (start === undefined || (across === 0 && down === 0)) return undefined;
  const distances = [...rects].flatMap(([name, rect]) => {
    const [dx, dy] = [centre(rect)[0] - centre(start)[0], centre(rect)[1] - centre(start)[1]];
    const ahead = dx * across + dy * down;
    const aside = Math.abs(dx * down) + Math.abs(dy * across);
    // A place that is more beside than ahead lies in another direction.
    return ahead <= 0 || aside > ahead * 2 ? [] : [{ name, distance: ahead + 2 * aside }];
  });
  return distances.toSorted((a, b) => a.distance - b.distance)[0]?.name;
}

function centre({ x, y, width, height }: Rect): readonly [number, number] {
  return [x + width / 2, y + height / 2];
}
