import { formatDay, formatFixed, formatPercent } from '../../market/format/numbers.ts';
import { families } from './families.ts';
import type { CurvePoint, Missing } from './curve-points.ts';

/** What a point says of its bond, line by line. */
export function pointLines(point: CurvePoint): readonly string[] {
  const { family, rate, duration, bond, isEarlier } = point;
  const { paridad, vencimiento, fecha } = bond;
  return [
    families[family],
    `TIR ${formatPercent(rate)}`,
    `Duration modificada ${formatFixed(duration, 2)} años`,
    ...(paridad === null ? [] : [`Paridad ${formatPercent(paridad)}`]),
    `Vence el ${formatDay(vencimiento)}`,
    ...(isEarlier ? [`Precio de una rueda anterior: ${formatDay(fecha)}`] : []),
  ];
}

/** The bonds without a yield, counted by their reasons: the index and the day that are missing do not matter. */
export function countReasons(missing: readonly Missing[]): string {
  const counts = new Map<string, number>();
  for (const { reason } of missing) {
    const [name = ''] = reason.split(':');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} (${count})`)
    .join('; ');
}
