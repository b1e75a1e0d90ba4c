import { formatFixed } from '../../market/format/numbers.ts';
import type { CurveLayout } from './curve-layout.ts';

/** The axes of a curve with their marks and names. */
export function CurveAxes({
  layout: { across, down, xOf, yOf },
  width,
  height,
}: {
  readonly layout: CurveLayout;
  readonly width: number;
  readonly height: number;
}) {
  const [left, right] = [xOf(across.from), xOf(across.to)];
  const [top, bottom] = [yOf(down.to), yOf(down.from)];
  return (
    <g class="curve-axes">
      {down.ticks.map((tick) => (
        <g key={tick}>
          <path class={tick === 0 ? 'curve-zero' : ''} d={`M${left} ${yOf(tick)}H${right}`} />
          <text x={left - 8} y={yOf(tick)} dy="0.35em" text-anchor="end">
            {formatFixed(tick, decimalsOf(down.ticks))}&nbsp;%
          </text>
        </g>
      ))}
      {across.ticks.map((tick) => (
        <g key={tick}>
          <path d={`M${xOf(tick)} ${top}V${bottom}`} />
          <text x={xOf(tick)} y={bottom + 16} text-anchor="middle">
            {formatFixed(tick, decimalsOf(across.ticks))}
          </text>
        </g>
      ))}
      <text class="curve-axis-name" x={width - 14} y={height - 4} text-anchor="end">
        Duration modificada, en años
      </text>
      <text class="curve-axis-name" x={left} y={top - 11} text-anchor="middle">
        TIR
      </text>
    </g>
  );
}

/** The decimals that the marks of an axis need. */
function decimalsOf(ticks: readonly number[]): number {
  return Math.max(...ticks.map((tick) => String(tick).split('.')[1]?.length ?? 0));
}
