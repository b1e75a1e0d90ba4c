import { familyCodes, type Family } from './families.ts';
import type { PlacedPoint } from './curve-layout.ts';

/** A family with fewer points has no line. */
const pointsMin = 3;

/** The lines through the points of each family, in the order of their durations, as paths of SVG. */
export function familyLines(
  placed: readonly PlacedPoint[],
): readonly { readonly family: Family; readonly path: string }[] {
  return familyCodes.flatMap((family) => {
    const points = placed
      .filter(({ point }) => point.family === family)
      .toSorted((a, b) => a.x - b.x);
    if (points.length < pointsMin) return [];
    const steps = points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`);
    return [{ family, path: `M${steps.join('L')}` }];
  });
}
