import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { palette, preference, shownTheme } from '../../ui/preferences.ts';
import { Problem } from '../../ui/problem.tsx';
import { isNarrow } from '../../ui/screen-size.ts';
import type { ChartStyle, ChartTime } from './bars.ts';
import { lastAt, type ChartContent } from './chart-content.ts';
import { ChartValues } from './chart-values.tsx';
import type { ChartListener, PriceChart } from './price-chart.ts';
import styles from '../../styles/instrument.css?inline';
import { addStyles } from '../../ui/screen/add-styles.ts';

addStyles(styles);

/**
 * How the user wants prices to be drawn. The browser stores it. The default of a phone is a line, because the
 * candles of a year are too narrow there.
 */
export const chartStyle = preference<ChartStyle>(
  'pizarra.chart',
  isNarrow.peek() ? ['line', 'candles'] : ['candles', 'line'],
);

/**
 * The chart, with the values of the bar under the crosshair. The arrow keys also move the
 * crosshair.
 */
export function ChartFrame({
  content,
  kind = content.isIntraday ? 'Precios intradiarios' : 'Precios de cierre',
  onPrice,
}: {
  readonly content: ChartContent;
  /** What its values are. */
  readonly kind?: string;
  /** Takes a price of the chart: that of a click, or with the key Enter that under the crosshair. */
  readonly onPrice?: ((price: number) => void) | undefined;
}) {
  const hovered = useSignal<ChartTime | undefined>(undefined);
  const container = useRef<HTMLDivElement>(null);
  const isMissing = useSignal(false);
  const chart = useChart(container, content, {
    onHover: (time) => {
      hovered.value = time;
    },
    onPrice: (price) => onPrice?.(price),
    onMissing: () => {
      isMissing.value = true;
    },
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20 }[event.key];
    const zoom = { '+': 0.7, '-': 1.4 }[event.key];
    if (steps !== undefined) hovered.value = chart.current?.step(steps);
    else if (zoom !== undefined) chart.current?.zoom(zoom);
    else if (event.key === 'Enter' && onPrice !== undefined) {
      const time = hovered.value ?? content.times.at(-1);
      const close = lastAt(content.lines[0]?.points ?? [], time)?.value;
      if (close !== undefined) onPrice(close);
    } else return;
    event.preventDefault();
  };
  const names = content.lines.map(({ name }) => name).join(', ');
  const steps = content.isIntraday ? 'las barras' : 'los días';
  const parts = new Set(content.overlays.map(({ pane }) => pane).filter((one) => one !== 'price'));
  return (
    <figure
      class={`chart panel ${onPrice === undefined ? '' : 'is-marking'}`}
      style={{ '--parts': parts.size }}
    >
      <ChartValues content={content} hovered={hovered.value} />
      <Problem>{isMissing.value && 'No se pudo cargar el gráfico. Recargar la página.'}</Problem>
      <div
        ref={container}
        class="chart-canvas"
        role="application"
        aria-roledescription="gráfico"
        aria-label={`${kind} de ${names}. Las flechas recorren ${steps}. Las teclas más y menos acercan y alejan.`}
        tabIndex={0}
        onKeyDown={onKeyDown}
      />
      <p class="attribution muted">
        Gráfico:{' '}
        <a class="muted" href="https://www.tradingview.com/" rel="noreferrer">
          TradingView Lightweight Charts™
        </a>{' '}
        · Copyright © 2026 TradingView, Inc.
      </p>
    </figure>
  );
}

/**
 * Creates the chart when the library is loaded, and updates it when the content or the theme
 * changes. A page that was opened before an upgrade of the service may not find the library.
 */
function useChart(
  container: { readonly current: HTMLDivElement | null },
  content: ChartContent,
  listener: ChartListener & { readonly onMissing: () => void },
) {
  const listening = useRef(listener);
  listening.current = listener;
  const chart = useRef<PriceChart | undefined>(undefined);
  const latest = useRef(content);
  latest.current = content;
  useEffect(() => {
    let isGone = false;
    const make = async () => {
      const library = await import('./price-chart.ts').catch(() => undefined);
      if (isGone || container.current === null) return;
      if (library === undefined) return listening.current.onMissing();
      chart.current = new library.PriceChart(container.current, {
        onHover: (time) => listening.current.onHover(time),
        onPrice: (price) => listening.current.onPrice(price),
      });
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
  const worn = `${shownTheme.value} ${palette.value}`;
  useEffect(() => chart.current?.dress(), [worn]);
  return chart;
}
