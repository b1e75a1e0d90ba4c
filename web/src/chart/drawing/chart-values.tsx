import {
  wayOf,
  formatChartTime,
  formatPrice,
  formatRebased,
  formatVolume,
} from '../../market/format/numbers.ts';
import { actionText } from './actions.ts';
import { changeOf, type Bar, type ChartTime } from './bars.ts';
import { formatOf, lastAt, type ChartContent, type ChartLine } from './chart-content.ts';

/**
 * The values of the bar under the crosshair, or of the last one. Screen readers read the former;
 * the latter changes with every price.
 */
export function ChartValues({
  content,
  hovered,
}: {
  readonly content: ChartContent;
  readonly hovered: ChartTime | undefined;
}) {
  const { lines, times, marks, overlays, isRebased } = content;
  const time = hovered ?? times.at(-1);
  const actions = marks.find((mark) => mark.time === time)?.actions ?? [];
  return (
    <figcaption class="chart-values row" aria-live={hovered === undefined ? 'off' : 'polite'}>
      {time !== undefined && <span class="chart-day strong">{formatChartTime(time)}</span>}
      {lines.length > 1 ? (
        lines.map((line) => (
          <LineValue key={line.name} line={line} time={time} isRebased={isRebased} />
        ))
      ) : (
        <BarValues content={content} time={time} />
      )}
      {isRebased && (
        <span class="muted">variación desde {formatChartTime(baseOf(lines) ?? '')}</span>
      )}
      {overlays.map((overlay) => (
        <span key={overlay.name} class="chart-overlay" style={{ color: `var(${overlay.color})` }}>
          {overlay.name} {formatOf(content, overlay)(lastAt(overlay.points, time)?.value)}
        </span>
      ))}
      {actions.map((action) => (
        <span key={action.tipo} class="chart-action">
          {actionText(action)}
        </span>
      ))}
    </figcaption>
  );
}

/** The values of an instrument alone, or of one pair. */
function BarValues({
  content: { lines, quote },
  time,
}: {
  readonly content: ChartContent;
  readonly time: ChartTime | undefined;
}) {
  const [line] = lines;
  const bar = line?.bars.find((one) => one.time === time);
  if (line === undefined || bar === undefined) return null;
  const way = wayOf(changeOf(bar, { bars: line.bars, quote }));
  return (
    <>
      {bar.range !== undefined && <RangeValues range={bar.range} />}
      {line.isPair && <strong>{line.name}</strong>}
      <span class={`chart-value ${way}`}>{formatPrice(bar.close)}</span>
      {line.unit !== '' && <span class="muted">{line.unit}</span>}
      {bar.volume !== null && <span class="muted whole">vol. {formatVolume(bar.volume)}</span>}
    </>
  );
}

function RangeValues({ range: { open, high, low } }: Required<Pick<Bar, 'range'>>) {
  return (
    <span class="muted">
      <span class="whole">ap. {formatPrice(open)}</span> ·{' '}
      <span class="whole">máx. {formatPrice(high)}</span> ·{' '}
      <span class="whole">mín. {formatPrice(low)}</span>
    </span>
  );
}

/** The value of one of several lines. On a day without a session of its market, it is the last one before. */
function LineValue({
  line: { name, unit, color, bars, points },
  time,
  isRebased,
}: {
  readonly line: ChartLine;
  readonly time: ChartTime | undefined;
  readonly isRebased: boolean;
}) {
  return (
    <span class={`chart-value chart-value-${color}`} style={{ color: `var(--line-${color})` }}>
      <strong>{name}</strong> {formatPrice(lastAt(bars, time)?.close)} {unit}
      {isRebased && <span class="muted"> {formatRebased(lastAt(points, time)?.value)}</span>}
    </span>
  );
}

/** The first time of the compared values. */
function baseOf(lines: readonly ChartLine[]): ChartTime | undefined {
  return lines.find(({ points }) => points.length > 0)?.points[0]?.time;
}
