import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { wayOf } from '../../market/format/direction.ts';
import {
  formatChartTime,
  formatPrice,
  formatRebased,
  formatVolume,
} from '../../market/format/numbers.ts';
import { unitNameOf } from '../../market/format/unit-name.ts';
import { instruments } from '../../market/instruments.ts';
import { theme } from '../../ui/preferences.ts';
import { actionText } from './actions.ts';
import { changeOf } from './bars.ts';
import type { Bar, ChartTime } from './bars.ts';
import { lastAt } from './chart-content.ts';
import type { ChartContent, ChartLine } from './chart-content.ts';
import type { PriceChart } from './price-chart.ts';

/**
 * The chart, with the values of the bar under the crosshair. The arrow keys also move the
 * crosshair.
 */
export function ChartFrame({ content }: { readonly content: ChartContent }) {
  const hovered = useSignal<ChartTime | undefined>(undefined);
  const container = useRef<HTMLDivElement>(null);
  const isMissing = useSignal(false);
  const chart = useChart(container, content, {
    onHover: (time) => {
      hovered.value = time;
    },
    onMissing: () => {
      isMissing.value = true;
    },
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20 }[event.key];
    const zoom = { '+': 0.7, '-': 1.4 }[event.key];
    if (steps !== undefined) hovered.value = chart.current?.step(steps);
    else if (zoom !== undefined) chart.current?.zoom(zoom);
    else return;
    event.preventDefault();
  };
  const tickers = content.lines.map(({ ticker }) => ticker).join(', ');
  const kind = content.isIntraday ? 'Precios intradiarios' : 'Precios de cierre';
  const steps = content.isIntraday ? 'las barras' : 'los días';
  return (
    <figure class="chart">
      <ChartValues content={content} hovered={hovered.value} />
      {isMissing.value && (
        <p class="notice notice-bad" role="alert">
          No se pudo cargar el gráfico. Recargar la página.
        </p>
      )}
      <div
        ref={container}
        class="chart-canvas"
        role="application"
        aria-roledescription="gráfico"
        aria-label={`${kind} de ${tickers}. Las flechas recorren ${steps}. Las teclas más y menos acercan y alejan.`}
        tabIndex={0}
        onKeyDown={onKeyDown}
      />
      <p class="attribution">
        Gráfico:{' '}
        <a href="https://www.tradingview.com/" rel="noreferrer">
          TradingView Lightweight Charts™
        </a>{' '}
        · Copyright © 2026 TradingView, Inc.
      </p>
    </figure>
  );
}

/**
 * The values of the bar under the crosshair, or of the last one. Screen readers read the former;
 * the latter changes with every price.
 */
function ChartValues({
  content: { lines, times, marks, quote },
  hovered,
}: {
  readonly content: ChartContent;
  readonly hovered: ChartTime | undefined;
}) {
  const time = hovered ?? times.at(-1);
  const isCompared = lines.length > 1;
  const bars = lines[0]?.bars ?? [];
  const bar = bars.find((one) => one.time === time);
  const { value: known } = instruments;
  const actions = marks.find((mark) => mark.time === time)?.actions ?? [];
  return (
    <figcaption class="chart-values" aria-live={hovered === undefined ? 'off' : 'polite'}>
      {time !== undefined && <span class="chart-day">{formatChartTime(time)}</span>}
      {isCompared ? (
        <>
          {lines.map((line, at) => (
            <ComparedValue
              key={line.ticker}
              line={line}
              at={at}
              time={time}
              unit={unitNameOf(known.get(line.ticker))}
            />
          ))}
          <span class="muted">variación desde {formatChartTime(baseOf(lines) ?? '')}</span>
        </>
      ) : (
        bar !== undefined && <BarValues bar={bar} way={wayOf(changeOf(bar, { bars, quote }))} />
      )}
      {actions.map((action) => (
        <span key={action.tipo} class="chart-action">
          {actionText(action)}
        </span>
      ))}
    </figcaption>
  );
}

function BarValues({
  bar: { close, range, volume },
  way,
}: {
  readonly bar: Bar;
  /** The direction of its change, which is its colour. */
  readonly way: string;
}) {
  return (
    <>
      {range !== undefined && (
        <span class="muted">
          ap. {formatPrice(range.open)} · máx. {formatPrice(range.high)} · mín.{' '}
          {formatPrice(range.low)}
        </span>
      )}
      <span class={`chart-value ${way}`}>{formatPrice(close)}</span>
      {volume !== null && <span class="muted">vol. {formatVolume(volume)}</span>}
    </>
  );
}

/** The value of a line at a time. On a day without a session of its market, it is the last one before. */
function ComparedValue({
  line: { ticker, bars, points },
  at,
  time,
  unit,
}: {
  readonly line: ChartLine;
  readonly at: number;
  readonly time: ChartTime | undefined;
  /** The currency or the unit of its prices. */
  readonly unit: string;
}) {
  return (
    <span class={`chart-value chart-value-${at + 1}`}>
      <strong>{ticker}</strong> {formatPrice(lastAt(bars, time)?.close)} {unit}
      <span class="muted"> {formatRebased(lastAt(points, time)?.value)}</span>
    </span>
  );
}

/** The first time of the compared values. */
function baseOf(lines: readonly ChartLine[]): ChartTime | undefined {
  return lines.find(({ points }) => points.length > 0)?.points[0]?.time;
}

/**
 * Creates the chart when the library is loaded, and updates it when the content or the theme
 * changes. A page that was opened before an upgrade of the service may not find the library.
 */
function useChart(
  container: { readonly current: HTMLDivElement | null },
  content: ChartContent,
  {
    onHover,
    onMissing,
  }: {
    readonly onHover: (time: ChartTime | undefined) => void;
    readonly onMissing: () => void;
  },
) {
  const chart = useRef<PriceChart | undefined>(undefined);
  const latest = useRef(content);
  latest.current = content;
  useEffect(() => {
    let isGone = false;
    const make = async () => {
      const library = await import('./price-chart.ts').catch(() => undefined);
      if (isGone || container.current === null) return;
      if (library === undefined) return onMissing();
      chart.current = new library.PriceChart(container.current, onHover);
      chart.current.show(latest.current);
    };
    void make();
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const dress = () => chart.current?.dress();
    scheme.addEventListener('change', dress);
    return () => {
      isGone = true;
      scheme.removeEventListener('change', dress);
      chart.current?.[Symbol.dispose]();
      chart.current = undefined;
    };
  }, []);
  useEffect(() => chart.current?.show(content), [content]);
  const worn = theme.value;
  useEffect(() => chart.current?.dress(), [worn]);
  return chart;
}
