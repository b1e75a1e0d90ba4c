import { decimalText } from '../../market/format/decimal-text.ts';
import { formatDay, formatFixed, formatPercent } from '../../market/format/numbers.ts';
import { families } from './families.ts';
import type { CurvePoint, Missing } from './curve-points.ts';

/**
 * What a point says of its bond, line by line.
 *
 * @param spread by how much its yield is above the curve of its family, in percent. Undefined without a curve.
 */
export function pointLines(point: CurvePoint, spread: number | undefined): readonly string[] {
  const { family, rate, duration, bond, isEarlier } = point;
  const { paridad, vencimiento, fecha } = bond;
  return [
    families[family],
    `TIR ${formatPercent(rate)}`,
    `Duration modificada ${formatFixed(duration, 2)} años`,
    ...(spread === undefined ? [] : [spreadText(spread)]),
    ...(paridad === null ? [] : [`Paridad ${formatPercent(paridad)}`]),
    `Vence el ${formatDay(vencimiento)}`,
    ...(isEarlier ? [`Precio de una rueda anterior: ${formatDay(fecha)}`] : []),
  ];
}

/** `+35 pb sobre la curva ajustada`. */
function spreadText(spread: number): string {
  const points = decimalText(spread * 100, { least: 0, most: 0, hasPlus: true });
  return `${points} pb ${spread < 0 ? 'bajo' : 'sobre'} la curva ajustada`;
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
