import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';

import { Datafeed, type Bar, type Mark, type SymbolInfo } from './datafeed.ts';
import { sessionSlots } from './session-slots.ts';

/**
 * A page that draws an instrument through `/udf`. Its fragment has the URL, the key, the symbol, the resolution
 * and, for bars within a session, the day. It asks again when the test says so, not by a timer.
 */
export interface ChartPage {
  readonly symbol: SymbolInfo;
  readonly marks: readonly Mark[];
  /** The bars that the chart has. */
  bars(): readonly Bar[];
  /** The number of places on the time scale, with or without a bar. */
  slots(): number;
  /** Asks for the last bars and the last price, as the library does every ten seconds. */
  poll(): Promise<number>;
  /** The color of the body of each bar, read from what is drawn, where the body is high enough to see. */
  drawnColors(): readonly (readonly [time: number, color: string])[];
}

declare global {
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object.
  var chartPage: Promise<ChartPage>;
}

const upColor = '#089981';
const downColor = '#f23645';
/** The height of a body in pixels from which its color is read in its middle. */
const readableHeight = 3;

globalThis.chartPage = show(new URLSearchParams(location.hash.slice(1)));

async function show(settings: URLSearchParams): Promise<ChartPage> {
  const setting = (name: string): string => settings.get(name) ?? '';
  const feed = new Datafeed(setting('url'), setting('key'));
  const resolution = setting('resolution');
  const symbol = await feed.resolve(setting('symbol'));
  const now = await feed.time();
  const bars = new Map<number, Bar>();
  for (const bar of await feed.bars(symbol, resolution, { from: 0, to: now, countback: 300 })) {
    bars.set(bar.time, bar);
  }
  const marks = await feed.marks(symbol, 0, now);

  document.title = `${symbol.ticker} · ${symbol.description}`;
  const chart = createChart(document.body, {
    autoSize: true,
    timeScale: {
      timeVisible: resolution !== '1D',
      ...(resolution === '1D' ? {} : { tickMarkFormatter: localTime(symbol.timezone) }),
    },
  });
  const candles = chart.addSeries(CandlestickSeries, { upColor, downColor, borderVisible: false });
  const volumes = chart.addSeries(HistogramSeries, { priceScaleId: 'volume', color: '#c8ccd6' });
  candles.priceScale().applyOptions({ scaleMargins: { top: 0.05, bottom: 0.25 } });
  volumes.priceScale().applyOptions({ scaleMargins: { top: 0.8, bottom: 0 } });
  const slots =
    setting('day') === '' ? [] : sessionSlots(symbol, setting('day'), Number(resolution));
  const draw = (): void => {
    const sorted = [...bars.values()].toSorted((a, b) => a.time - b.time);
    const byTime = new Map(sorted.map((bar) => [bar.time / 1000, bar]));
    const times = [...new Set([...byTime.keys(), ...slots])].toSorted((a, b) => a - b);
    candles.setData(
      times.map((second) => {
        const { open, high, low, close } = byTime.get(second) ?? {};
        const time = second as UTCTimestamp;
        if (open === undefined || high === undefined || low === undefined || close === undefined)
          return { time };
        return { time, open, high, low, close };
      }),
    );
    volumes.setData(
      times.map((second) => ({
        time: second as UTCTimestamp,
        value: byTime.get(second)?.volume ?? 0,
      })),
    );
  };
  draw();
  createSeriesMarkers(
    candles,
    marks.map(({ time, color, label }) => ({
      time: time as UTCTimestamp,
      position: 'belowBar' as const,
      shape: 'circle' as const,
      color,
      text: label,
    })),
  );
  chart.timeScale().fitContent();

  return {
    symbol,
    marks,
    bars: () => [...bars.values()].toSorted((a, b) => a.time - b.time),
    slots: () => volumes.data().length,
    poll: async () => {
      for (const bar of await feed.lastBars(symbol, resolution)) bars.set(bar.time, bar);
      draw();
      return feed.lastPrice(symbol);
    },
    drawnColors: () => {
      const picture = chart.takeScreenshot();
      return [...bars.values()].flatMap(({ time, open, close }) => {
        const x = chart.timeScale().timeToCoordinate((time / 1000) as UTCTimestamp);
        const top = candles.priceToCoordinate(Math.max(open, close));
        const bottom = candles.priceToCoordinate(Math.min(open, close));
        if (x === null || top === null || bottom === null) return [];
        if (bottom - top < readableHeight) return [];
        return [[time / 1000, colorAt(picture, x, (top + bottom) / 2)]] as const;
      });
    },
  };
}

/** Formats an instant as the time of day in a time zone. */
function localTime(timeZone: string): (time: Time) => string {
  const format = new Intl.DateTimeFormat('es-AR', { timeStyle: 'short', timeZone });
  return (time) => format.format(Number(time) * 1000);
}

/** The color of a point of the page in a picture of it. */
function colorAt(picture: HTMLCanvasElement, x: number, y: number): string {
  const scale = picture.width / document.body.clientWidth;
  const pixel = picture.getContext('2d')?.getImageData(x * scale, y * scale, 1, 1).data;
  const parts = Array.from(pixel?.slice(0, 3) ?? [], (one) => one.toString(16).padStart(2, '0'));
  return `#${parts.join('')}`;
}
