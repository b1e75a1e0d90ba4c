import {
  AreaSeries,
  ColorType,
  HistogramSeries,
  LineSeries,
  PriceScaleMode,
  createChart,
} from 'lightweight-charts';
import type { IChartApi, ISeriesApi, LogicalRange, Time } from 'lightweight-charts';

import { formatCompact, formatDay, formatIndex, formatPrice } from '../format/numbers.ts';
import type { Point } from './rebase.ts';

/** One line of the chart. */
interface ChartLine {
  readonly ticker: string;
  readonly points: readonly Point[];
}

/** The content of a chart. */
export interface ChartContent {
  /** The first line is the instrument itself. The others are compared with it. */
  readonly lines: readonly ChartLine[];
  readonly volumes: readonly Point[];
  /** The first visible day. */
  readonly from: string;
  readonly isLog: boolean;
}

/** The day under the crosshair. Undefined without a crosshair. */
export type HoverListener = (time: string | undefined) => void;

/** The custom properties with the colours of the lines, in order. */
const lineColors = ['--line-1', '--line-2', '--line-3', '--line-4'];
const volumePaneHeight = 84;

/**
 * The price chart: Lightweight Charts in the colours of the page. The logo of the library needs an
 * inline style, which the Content-Security-Policy forbids. So the attribution that its licence
 * requires is shown below the chart.
 */
export class PriceChart implements Disposable {
  readonly #chart: IChartApi;
  readonly #container: HTMLElement;
  #series: ISeriesApi<'Area' | 'Line' | 'Histogram'>[] = [];
  #content: ChartContent | undefined;
  #hovered = -1;

  constructor(container: HTMLElement, onHover: HoverListener) {
    this.#container = container;
    this.#chart = createChart(container, {
      autoSize: true,
      layout: { attributionLogo: false },
      localization: {
        locale: 'es-AR',
        timeFormatter: (time: Time) => formatDay(timeText(time)),
      },
      handleScale: { axisPressedMouseMove: true },
    });
    this.#chart.subscribeCrosshairMove(({ time }) => {
      this.#hovered = time === undefined ? -1 : this.#indexOf(timeText(time));
      onHover(time === undefined ? undefined : timeText(time));
    });
    this.dress();
  }

  /** Applies the colours of the theme. */
  dress(): void {
    const color = this.#colorOf();
    this.#chart.applyOptions({
      layout: {
        background: { type: ColorType.Solid, color: color('--surface') },
        textColor: color('--muted'),
        fontFamily: getComputedStyle(this.#container).fontFamily,
        fontSize: 11,
        panes: { separatorColor: color('--border'), enableResize: false },
      },
      grid: { vertLines: { color: color('--grid') }, horzLines: { color: color('--grid') } },
      rightPriceScale: { borderColor: color('--border') },
      timeScale: { borderColor: color('--border'), rightOffset: 2, minBarSpacing: 0.05 },
      crosshair: {
        vertLine: { color: color('--muted'), labelBackgroundColor: color('--label') },
        horzLine: { color: color('--muted'), labelBackgroundColor: color('--label') },
      },
    });
    if (this.#content !== undefined) this.show(this.#content);
  }

  /** Replaces the content. */
  show(content: ChartContent): void {
    for (const series of this.#series) this.#chart.removeSeries(series);
    this.#content = content;
    const color = this.#colorOf();
    const isAlone = content.lines.length === 1;
    this.#series = content.lines.map(({ ticker, points }, at) => {
      const line = color(lineColors[at] ?? '--line-1');
      const series = isAlone
        ? this.#chart.addSeries(AreaSeries, {
            priceFormat: formatBy(formatPrice),
            lineColor: line,
            topColor: color('--area-top'),
            bottomColor: color('--area-bottom'),
            lineWidth: 2,
          })
        : this.#chart.addSeries(LineSeries, {
            priceFormat: formatBy(formatIndex),
            color: line,
            lineWidth: 2,
            title: ticker,
          });
      series.setData(points.map(({ time, value }) => ({ time, value })));
      return series;
    });
    if (isAlone && content.volumes.length > 0) this.#addVolumes(content.volumes, color);
    this.#chart.priceScale('right').applyOptions({
      mode: content.isLog ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal,
    });
    this.#showFrom(content.from);
  }

  /** Moves the crosshair by a number of days, for keyboard users. Returns its new day. */
  step(by: number): string | undefined {
    const line = this.#content?.lines[0];
    const [series] = this.#series;
    if (line === undefined || series === undefined || line.points.length === 0) return undefined;
    const start = this.#hovered === -1 ? line.points.length : this.#hovered;
    const at = Math.max(0, Math.min(line.points.length - 1, start + by));
    const point = line.points[at];
    if (point === undefined) return undefined;
    this.#hovered = at;
    this.#chart.setCrosshairPosition(point.value, point.time, series);
    return point.time;
  }

  /** Makes the visible range shorter (below 1) or longer (above 1). Its right end does not move. */
  zoom(factor: number): void {
    const scale = this.#chart.timeScale();
    const range: LogicalRange | null = scale.getVisibleLogicalRange();
    if (range === null) return;
    const from = range.to - Math.max(5, (range.to - range.from) * factor);
    scale.setVisibleLogicalRange({ from, to: range.to });
  }

  [Symbol.dispose](): void {
    this.#chart.remove();
  }

  #addVolumes(volumes: readonly Point[], color: (name: string) => string): void {
    const series = this.#chart.addSeries(
      HistogramSeries,
      {
        color: color('--volume'),
        priceFormat: formatBy(formatCompact),
        priceLineVisible: false,
        lastValueVisible: false,
      },
      1,
    );
    series.setData(volumes.map(({ time, value }) => ({ time, value })));
    this.#chart.panes()[1]?.setHeight(volumePaneHeight);
    this.#series.push(series);
  }

  #showFrom(from: string): void {
    const points = this.#content?.lines[0]?.points ?? [];
    if (points.length === 0) return;
    const first = points.findIndex(({ time }) => time >= from);
    const scale = this.#chart.timeScale();
    scale.setVisibleLogicalRange({ from: Math.max(0, first) - 0.5, to: points.length + 1 });
  }

  #indexOf(time: string): number {
    return this.#content?.lines[0]?.points.findIndex((point) => point.time === time) ?? -1;
  }

  #colorOf(): (name: string) => string {
    const styles = getComputedStyle(this.#container);
    return (name) => styles.getPropertyValue(name).trim();
  }
}

function formatBy(formatter: (value: number) => string) {
  return { type: 'custom', formatter, minMove: 0.000_001 } as const;
}

function timeText(time: Time): string {
  if (typeof time === 'string') return time;
  if (typeof time === 'number') return new Date(time * 1000).toISOString().slice(0, 10);
  const { year, month, day } = time;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
