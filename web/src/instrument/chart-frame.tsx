import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import type { HistoryRow } from '../api/quote.ts';
import { formatDay, formatIndex, formatPrice, formatVolume } from '../format/numbers.ts';
import { theme } from '../shell/preferences.ts';
import type { ChartContent, PriceChart } from './price-chart.ts';

/**
 * The chart, with the values of the day under the crosshair. The arrow keys also move the
 * crosshair.
 */
export function ChartFrame({
  content,
  rows,
  isCompared,
}: {
  readonly content: ChartContent;
  /** The closes of each line of the chart. */
  readonly rows: readonly (readonly HistoryRow[])[];
  readonly isCompared: boolean;
}) {
  const hovered = useSignal<string | undefined>(undefined);
  const container = useRef<HTMLDivElement>(null);
  const chart = useChart(container, content, (time) => {
    hovered.value = time;
  });
  const day = hovered.value ?? content.lines[0]?.points.at(-1)?.time;
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20 }[event.key];
    const zoom = { '+': 0.7, '-': 1.4 }[event.key];
    if (steps !== undefined) hovered.value = chart.current?.step(steps);
    else if (zoom !== undefined) chart.current?.zoom(zoom);
    else return;
    event.preventDefault();
  };
  return (
    <figure class="chart">
      <figcaption class="chart-values" aria-live="polite">
        {day !== undefined && <span class="chart-day">{formatDay(day)}</span>}
        {content.lines.map(({ ticker, points }, at) => (
          <span key={ticker} class={`chart-value chart-value-${at + 1}`}>
            {isCompared && <strong>{ticker}</strong>}{' '}
            {formatPrice(rows[at]?.find(({ fecha }) => fecha === day)?.ultimo)}
            {isCompared && (
              <span class="muted">
                {' '}
                {formatIndex(points.find(({ time }) => time === day)?.value)}
              </span>
            )}
          </span>
        ))}
        {!isCompared && content.volumes.length > 0 && (
          <span class="muted">
            vol. {formatVolume(rows[0]?.find(({ fecha }) => fecha === day)?.volumen)}
          </span>
        )}
        {isCompared && (
          <span class="muted">base 100 = {formatDay(content.lines[0]?.points[0]?.time ?? '')}</span>
        )}
      </figcaption>
      <div
        ref={container}
        class="chart-canvas"
        role="application"
        aria-roledescription="gráfico"
        aria-label={`Precios de cierre de ${content.lines.map(({ ticker }) => ticker).join(', ')}. Las flechas recorren los días. Las teclas más y menos acercan y alejan.`}
        tabIndex={0}
        onKeyDown={onKeyDown}
      />
      <p class="attribution">
        Gráfico:{' '}
        <a href="https://www.tradingview.com/" rel="noreferrer">
          TradingView Lightweight Charts™
        </a>{' '}
        · Copyright © 2025 TradingView, Inc.
      </p>
    </figure>
  );
}

/**
 * Creates the chart when the library is loaded, and updates it when the content or the theme
 * changes.
 */
function useChart(
  container: { readonly current: HTMLDivElement | null },
  content: ChartContent,
  onHover: (time: string | undefined) => void,
) {
  const chart = useRef<PriceChart | undefined>(undefined);
  const latest = useRef(content);
  latest.current = content;
  useEffect(() => {
    let isGone = false;
    const make = async () => {
      const library = await import('./price-chart.ts');
      if (isGone || container.current === null) return;
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
