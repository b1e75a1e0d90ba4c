import {
  ColorType,
  LineSeries,
  LineStyle,
  PriceScaleMode,
  createChart,
  createSeriesMarkers,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type LogicalRange,
  type Time,
} from 'lightweight-charts';

import { formatChartTime } from '../../market/format/numbers.ts';
import { lettersOf } from './actions.ts';
import type { ChartTime } from './bars.ts';
import { lastAt, type ChartContent } from './chart-content.ts';
import {
  addDrawings,
  axisTime,
  hasLeftAxis,
  sizePanes,
  tagColor,
  tagWidth,
  type Drawing,
} from './chart-drawings.ts';
import { SeriesFiller } from './fill-series.ts';

/** What a chart calls. */
export interface ChartListener {
  /** Receives the time under the crosshair. Undefined without a crosshair. */
  readonly onHover: (time: ChartTime | undefined) => void;
  /** Receives the price at which the chart was clicked. */
  readonly onPrice: (price: number) => void;
}

/** The minimum width of a range without days, in bars, so that the first bars of a day are not wide. */
const slotsMin = 40;

/**
 * The price chart: Lightweight Charts in the colours of the page. The logo of the library needs an
 * inline style, which the Content-Security-Policy forbids. So the attribution that its licence
 * requires is shown below the chart.
 */
export class PriceChart implements Disposable {
  readonly #chart: IChartApi;
  readonly #container: HTMLElement;
  /**
   * An invisible series for the days of the axis on which no line has a value. It has values, on a
   * scale of its own, because the library always keeps two of them in view.
   */
  #axis: ISeriesApi<'Line'> | undefined;
  #drawings: readonly Drawing[] = [];
  #levels: readonly IPriceLine[] = [];
  readonly #filler = new SeriesFiller();
  #content: ChartContent | undefined;
  #hovered = -1;

  constructor(container: HTMLElement, { onHover, onPrice }: ChartListener) {
    this.#container = container;
    this.#chart = createChart(container, {
      autoSize: true,
      layout: { attributionLogo: false },
      localization: {
        locale: 'es-AR',
        timeFormatter: (time: Time) => formatChartTime(chartTime(time)),
      },
      handleScale: { axisPressedMouseMove: true },
    });
    this.#chart.subscribeCrosshairMove(({ time }) => {
      const hovered = time === undefined ? undefined : chartTime(time);
      this.#hovered = hovered === undefined ? -1 : this.#indexOf(hovered);
      onHover(hovered);
    });
    this.#chart.subscribeClick(({ point, paneIndex }) => {
      if (point === undefined || paneIndex !== 0) return;
      const price = this.#drawings[0]?.series.coordinateToPrice(point.y);
      if (price !== undefined && price !== null) onPrice(price);
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
      // Labels that are cut at the edges are left out, or moved into view.
      rightPriceScale: { borderColor: color('--border'), entireTextOnly: true },
      leftPriceScale: { borderColor: color('--border'), entireTextOnly: true },
      timeScale: {
        fixLeftEdge: true,
        borderColor: color('--border'),
        rightOffset: 2,
        minBarSpacing: 0.05,
        secondsVisible: false,
      },
      crosshair: {
        vertLine: { color: color('--muted'), labelBackgroundColor: color('--label') },
        horzLine: { color: color('--muted'), labelBackgroundColor: color('--label') },
      },
    });
    if (this.#content === undefined) return;
    this.#draw(this.#content);
    this.#colorTag(this.#content);
  }

  /** Replaces the content. Newer values of the same view keep the visible range. */
  show(content: ChartContent): void {
    const before = this.#content;
    this.#content = content;
    if (before?.view !== content.view) this.#draw(content);
    else this.#update(content, before);
    this.#colorTag(content);
  }

  /** Moves the crosshair by a number of bars, for keyboard users. Returns its new time. */
  step(by: number): ChartTime | undefined {
    const { times = [], lines = [] } = this.#content ?? {};
    const start = this.#hovered === -1 ? times.length : this.#hovered;
    const at = Math.max(0, Math.min(times.length - 1, start + by));
    const time = times[at];
    const [drawing] = this.#drawings;
    if (drawing === undefined || time === undefined) return undefined;
    const value = lastAt(lines[0]?.points ?? [], time)?.value ?? 0;
    this.#hovered = at;
    this.#chart.setCrosshairPosition(value, axisTime(time), drawing.series);
    return time;
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

  #draw(content: ChartContent): void {
    for (const { series } of this.#drawings) this.#chart.removeSeries(series);
    this.#axis ??= this.#chart.addSeries(LineSeries, {
      priceScaleId: 'days',
      lineVisible: false,
      priceLineVisible: false,
      lastValueVisible: false,
      crosshairMarkerVisible: false,
    });
    this.#fillAxis(content);
    const color = this.#colorOf();
    this.#levels = [];
    this.#drawings = addDrawings(this.#chart, content, color);
    sizePanes(this.#chart, content);
    this.#drawLevels(content);
    for (const drawing of this.#drawings) this.#filler.show(drawing, content);
    const [own] = this.#drawings;
    if (own !== undefined && content.marks.length > 0) {
      createSeriesMarkers(
        own.series,
        content.marks.map((mark) => ({
          time: axisTime(mark.time),
          position: 'belowBar',
          shape: 'circle',
          color: color('--mark'),
          text: lettersOf(mark),
        })),
      );
    }
    this.#chart.applyOptions({ timeScale: { timeVisible: content.isIntraday } });
    const mode = content.isLog ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal;
    for (const { series } of this.#drawings.slice(0, content.lines.length)) {
      series.priceScale().applyOptions({ mode });
    }
    this.#chart.applyOptions({ leftPriceScale: { visible: hasLeftAxis(content) } });
    this.#showWhole(content);
  }

  /** A range that shows the first bar grows with the bars. Any other follows the last bar. */
  #update(content: ChartContent, before: ChartContent): void {
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    for (const drawing of this.#drawings) this.#filler.show(drawing, content);
    if (!isSameList(content.emptyTimes, before.emptyTimes)) this.#fillAxis(content);
    if (content.levels !== before.levels) this.#drawLevels(content);
    const isLonger = content.times.length !== before.times.length;
    if (isLonger && range !== null && range.from <= 0) this.#showWhole(content);
  }

  /** The tags of several lines have the colours of their lines. */
  #colorTag(content: ChartContent): void {
    if (content.lines.length > 1) return;
    const priceLineColor = tagColor(content, this.#colorOf());
    this.#drawings[0]?.series.applyOptions({ priceLineColor });
  }

  /** The lines across the chart, on the scale of the instrument. */
  #drawLevels({ levels }: ChartContent): void {
    const series = this.#drawings[0]?.series;
    if (series === undefined) return;
    for (const line of this.#levels) series.removePriceLine(line);
    const color = this.#colorOf()('--mark');
    this.#levels = levels.map(({ price, isAlert }) =>
      series.createPriceLine({
        price,
        color,
        lineWidth: 1,
        lineStyle: isAlert ? LineStyle.Solid : LineStyle.Dashed,
        title: isAlert ? 'alerta' : 'nivel',
      }),
    );
  }

  #fillAxis({ emptyTimes }: ChartContent): void {
    this.#axis?.setData(emptyTimes.map((time) => ({ time: axisTime(time), value: 0 })));
  }

  /** Shows the whole range, and room for the names of lines after it. */
  #showWhole(content: ChartContent): void {
    const { times, emptyTimes, span, from } = content;
    const all = times.length + emptyTimes.length;
    if (all === 0) return;
    const first = [...times, ...emptyTimes].filter((time) => time < from).length;
    const end = Math.max(all + 1, span === undefined ? first + slotsMin : 0);
    const scale = this.#chart.timeScale();
    const [width, room] = [scale.width(), tagWidth(this.#chart, content)];
    const to = width > 2 * room ? end + ((end - first) * room) / (width - room) : end;
    scale.setVisibleLogicalRange({ from: first - 1.5, to });
  }

  #indexOf(time: ChartTime): number {
    return this.#content?.times.indexOf(time) ?? -1;
  }

  #colorOf(): (name: string) => string {
    const styles = getComputedStyle(this.#container);
    // A page that is being left has no styles any more, and an empty colour would be an error.
    return (name) => styles.getPropertyValue(name).trim() || 'transparent';
  }
}

function isSameList(one: readonly ChartTime[], other: readonly ChartTime[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at]);
}

function chartTime(time: Time): ChartTime {
  if (typeof time !== 'object') return time;
  const { year, month, day } = time;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
