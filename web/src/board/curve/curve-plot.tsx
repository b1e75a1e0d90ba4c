import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';

import { formatRoute, instrumentRoute, type BoardPlace } from '../../places/route.ts';
import { nextPlace } from '../../ui/screen/next-place.ts';
import { CurveAxes } from './curve-axes.tsx';
import { familyLines } from './family-lines.ts';
import type { CurveLayout, PlacedPoint } from './curve-layout.ts';
import { pointLines } from './curve-texts.ts';
import { Marker } from './marker.tsx';
import { placeLabels, type Label } from './place-labels.ts';

/** The width of a letter of a label, in pixels. */
const letterPx = 7.6;
/** The size of what a pointer hits, in pixels. */
const targetPx = 24;
/** The width of the tooltip, and its distance from its point, in pixels. */
const tipPx = 220;
const awayPx = 14;

/**
 * The points of a curve. Each is a link to its bond with a name and a tooltip. One of them is in the order of
 * the Tab key; the arrow keys move between them.
 */
export function CurvePlot({
  layout,
  width,
  height,
  place,
}: {
  readonly layout: CurveLayout;
  readonly width: number;
  readonly height: number;
  readonly place: BoardPlace;
}) {
  const { placed } = layout;
  const frame = useRef<HTMLDivElement>(null);
  const labels = useRef<ReadonlyMap<string, Label>>(new Map());
  const focused = useSignal<string | undefined>(undefined);
  const pointed = useSignal<string | undefined>(undefined);
  labels.current = placeLabels(
    placed.map(({ point: { ticker: id }, x, y }) => ({ id, x, y, width: id.length * letterPx })),
    layout.area,
    labels.current,
  );
  const tickers = placed.map(({ point }) => point.ticker);
  const stop =
    focused.value !== undefined && tickers.includes(focused.value) ? focused.value : tickers[0];
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Escape') pointed.value = undefined;
    const rects = new Map(placed.map((one) => [one.point.ticker, rectOf(one)]));
    const next = nextPlace(rects, stop ?? '', event.key);
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    focused.value = next;
    frame.current?.querySelector<HTMLElement>(`[data-point="${CSS.escape(next)}"]`)?.focus();
  };
  const tip = placed.find(({ point }) => point.ticker === pointed.value);
  return (
    <div
      class="curve-plot"
      ref={frame}
      role="group"
      aria-label="TIR por duration modificada"
      onKeyDown={move}
    >
      <svg width={width} height={height} aria-hidden="true">
        <CurveAxes layout={layout} width={width} height={height} />
        {familyLines(placed).map(({ family, path }) => (
          <path key={family} class={`family-line family-${family}`} d={path} />
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
            class={`curve-point family-${family} ${isEarlier ? 'is-earlier' : ''}`}
            data-point={ticker}
            data-ticker={ticker}
            tabIndex={ticker === stop ? 0 : -1}
            aria-label={`${ticker}: ${pointLines(one.point).join(', ')}`}
            style={{ left: `${one.x}px`, top: `${one.y}px` }}
            onFocus={() => {
              focused.value = ticker;
              pointed.value = ticker;
            }}
            onBlur={() => {
              pointed.value = undefined;
            }}
            onPointerEnter={() => {
              pointed.value = ticker;
            }}
            onPointerLeave={() => {
              pointed.value = undefined;
            }}
          >
            <Marker family={family} />
          </a>
        );
      })}
      {tip !== undefined && <Tip at={tip} width={width} height={height} />}
    </div>
  );
}

/** The address of a bond, with the convention that the address of the board names. */
function addressOf(ticker: string, { convention }: BoardPlace): string {
  const route = instrumentRoute(ticker);
  return formatRoute(convention === undefined ? route : { ...route, convention });
}

function rectOf({ x, y }: PlacedPoint) {
  const half = targetPx / 2;
  return { x: x - half, y: y - half, width: targetPx, height: targetPx };
}

/** What a point says of its bond. Screen readers read the name of the link. */
function Tip({
  at: { point, x, y },
  width,
  height,
}: {
  readonly at: PlacedPoint;
  readonly width: number;
  readonly height: number;
}) {
  const beside = x > width / 2 ? x - awayPx - tipPx : x + awayPx;
  // In a narrow frame it lies above or below the point.
  const left = Math.max(4, Math.min(beside, width - tipPx - 4));
  const down = y > height / 2 ? `calc(-100% - ${awayPx}px)` : `${awayPx}px`;
  return (
    <div
      class="curve-tip"
      aria-hidden="true"
      style={{
        left: `${left}px`,
        top: `${y}px`,
        width: `${tipPx}px`,
        transform: `translateY(${down})`,
      }}
    >
      <strong>{point.ticker}</strong>
      {pointLines(point).map((text) => (
        <span key={text}>{text}</span>
      ))}
    </div>
  );
}
