import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';

import { formatRoute, instrumentRoute, type BoardPlace } from '../../places/route.ts';
import { stopAmong, tickerAt, useArrowKeys } from '../../ui/screen/tab-stop.ts';
import { useSize } from '../../ui/screen/use-size.ts';
import { layoutCurve, type Axes, type CurveLayout, type PlacedPoint } from './curve-layout.ts';
import { pointLines, type CurvePoint } from './curve-points.ts';
import { fitCurves, previousRate, type FittedCurve } from './fit-curve.ts';
import { placeLabels, type Label } from './place-labels.ts';
import { formatFixed } from '../../market/format/numbers.ts';
import { colourOf, families, type Family } from './families.ts';

/** The width of a letter of a label, in pixels. */
const letterPx = 7.6;
/** The width of the tooltip, and its distance from its point, in pixels. */
const tipPx = 220;
const awayPx = 14;

/** The bonds whose yields are comparable, on axes of their own. */
export function CurvePlot({
  name,
  points,
  place,
}: {
  /** In what the yields are. */
  readonly name: string;
  readonly points: readonly CurvePoint[];
  readonly place: BoardPlace;
}) {
  const { ref, width, height } = useSize<HTMLDivElement>();
  const axes = useRef<{ readonly of: string; readonly axes: Axes }>(undefined);
  // Other families and another size have axes of their own.
  const id = [width, height, ...new Set(points.map(({ family }) => family))].join();
  const before = axes.current?.of === id ? axes.current.axes : undefined;
  const layout = layoutCurve(points, { width, height }, before);
  if (width > 0) axes.current = { of: id, axes: layout };
  return (
    <figure class="curve-room panel fill" ref={ref}>
      <figcaption class="small strong">{name}</figcaption>
      {width > 0 && (
        <Plot name={name} layout={layout} width={width} height={height} place={place} />
      )}
    </figure>
  );
}

/**
 * The points of a curve. Each is a link to its bond with a name and a tooltip. One of them is in the order of
 * the Tab key; the arrow keys move between them.
 */
function Plot({
  name,
  layout,
  width,
  height,
  place,
}: {
  readonly name: string;
  readonly layout: CurveLayout;
  readonly width: number;
  readonly height: number;
  readonly place: BoardPlace;
}) {
  const { placed } = layout;
  const points = placed.map(({ point }) => point);
  const curves = fitCurves(points);
  const spreadOf = ({ family, rate, duration }: CurvePoint) => {
    const curve = curves.find((one) => one.family === family);
    return curve === undefined ? undefined : rate - curve.rateAt(duration);
  };
  const labels = useRef<ReadonlyMap<string, Label>>(new Map());
  const { focused, frame } = useArrowKeys();
  const pointed = useSignal<string | undefined>(undefined);
  labels.current = placeLabels(
    placed.map(({ point: { ticker: id }, x, y }) => ({ id, x, y, width: id.length * letterPx })),
    layout.area,
    labels.current,
  );
  const stop = stopAmong(
    points.map(({ ticker }) => ticker),
    focused,
  );
  const tip = placed.find(({ point }) => point.ticker === pointed.value);
  const point = ({ target }: Event) => {
    pointed.value = tickerAt(target);
  };
  const leave = () => {
    pointed.value = undefined;
  };
  return (
    <div
      class="curve-plot"
      role="group"
      aria-label={`TIR por duration modificada: ${name}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') leave();
        frame.onKeyDown(event);
      }}
      onFocusIn={(event) => {
        frame.onFocusIn(event);
        point(event);
      }}
      onFocusOut={leave}
      onPointerOver={point}
      onPointerLeave={leave}
    >
      <svg width={width} height={height} aria-hidden="true">
        <CurveAxes layout={layout} width={width} height={height} />
        {fitCurves(points, previousRate).map((curve) => (
          <path
            key={curve.family}
            class="family-line is-previous"
            style={colourOf(curve.family)}
            d={pathOf(curve, layout)}
          />
        ))}
        {curves.map((curve) => (
          <path
            key={curve.family}
            class="family-line"
            style={colourOf(curve.family)}
            d={pathOf(curve, layout)}
          />
        ))}
        {[...labels.current].map(([ticker, { x, y }]) => (
          <text key={ticker} class="curve-label" x={x} y={y} dy="0.35em">
            {ticker}
          </text>
        ))}
      </svg>
      {placed.map((one) => {
        const { ticker, family, isEarlier } = one.point;
        return (
          <a
            key={ticker}
            href={addressOf(ticker, place)}
            class={isEarlier ? 'curve-point is-earlier' : 'curve-point'}
            data-ticker={ticker}
            tabIndex={ticker === stop ? 0 : -1}
            aria-label={`${ticker}: ${pointLines(one.point, spreadOf(one.point)).join(', ')}`}
            style={{ ...colourOf(family), left: `${one.x}px`, top: `${one.y}px` }}
          >
            <Marker family={family} />
          </a>
        );
      })}
      {tip !== undefined && (
        <Tip at={tip} spread={spreadOf(tip.point)} width={width} height={height} />
      )}
    </div>
  );
}

/** The number of steps of a drawn curve. */
const curveSteps = 32;

function pathOf({ from, to, rateAt }: FittedCurve, { xOf, yOf }: CurveLayout): string {
  const steps = Array.from({ length: curveSteps + 1 }, (_, at) => {
    const duration = from + ((to - from) * at) / curveSteps;
    return `${xOf(duration).toFixed(1)} ${yOf(rateAt(duration)).toFixed(1)}`;
  });
  return `M${steps.join('L')}`;
}

/** The address of a bond, with the convention that the address of the board names. */
function addressOf(ticker: string, { convention }: BoardPlace): string {
  const route = instrumentRoute(ticker);
  return formatRoute(convention === undefined ? route : { ...route, convention });
}

/** What a point says of its bond. Screen readers read the name of the link. */
function Tip({
  at: { point, x, y },
  spread,
  width,
  height,
}: {
  readonly at: PlacedPoint;
  readonly spread: number | undefined;
  readonly width: number;
  readonly height: number;
}) {
  const beside = x > width / 2 ? x - awayPx - tipPx : x + awayPx;
  // In a narrow frame it lies above or below the point.
  const left = Math.max(4, Math.min(beside, width - tipPx - 4));
  const down = y > height / 2 ? `calc(-100% - ${awayPx}px)` : `${awayPx}px`;
  return (
    <div
      class="curve-tip pop stack gap-1 small"
      aria-hidden="true"
      style={{
        left: `${left}px`,
        top: `${y}px`,
        width: `${tipPx}px`,
        transform: `translateY(${down})`,
      }}
    >
      <strong>{point.ticker}</strong>
      {pointLines(point, spread).map((text) => (
        <span key={text}>{text}</span>
      ))}
    </div>
  );
}

/** The axes of a curve with their marks and names. */
function CurveAxes({
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

/** The marker of a family. */
export function Marker({ family }: { readonly family: Family }) {
  return (
    <svg class="marker" viewBox="-8 -8 16 16" aria-hidden="true">
      <path d={families[family].outline} />
    </svg>
  );
}
