import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';

import type { Quote } from '../market/api/quote.ts';
import { unitNameOf } from '../market/format/unit-name.ts';
import { instruments } from '../market/instruments.ts';
import { replaceRoute } from '../places/location.ts';
import { ActionList } from './action-list.tsx';
import { marksOf, omittedText } from '../chart/drawing/actions.ts';
import type { ActionMark } from '../chart/drawing/actions.ts';
import { canDrawCandles } from '../chart/drawing/bars.ts';
import { linesOf, timesOf } from '../chart/drawing/chart-content.ts';
import type { ChartContent } from '../chart/drawing/chart-content.ts';
import { emptyDays, missingTexts } from '../chart/drawing/empty-days.ts';
import { ChartFrame } from '../chart/drawing/chart-frame.tsx';
import { chartStyle } from '../chart/drawing/chart-style.ts';
import { ChartToolbar } from './chart-toolbar.tsx';
import type { InstrumentPlace } from '../places/route.ts';
import { isSmall } from '../ui/screen-size.ts';
import { StatisticsTable } from './statistics-table.tsx';
import { useActions } from '../chart/series/use-actions.ts';
import { useChartSeries } from '../chart/series/use-chart-series.ts';
import type { ChartSeries } from '../chart/series/use-chart-series.ts';

/** The chart of an instrument and of the compared ones, with what belongs to it. */
export function HistorySection({
  place,
  apiKey,
  quotes,
  children,
}: {
  readonly place: InstrumentPlace;
  readonly apiKey: string;
  /** The quotes of the instrument and of the compared ones. */
  readonly quotes: readonly (Quote | undefined)[];
  /** What is shown below the chart and its tools. */
  readonly children: ComponentChildren;
}) {
  const series = useChartSeries(place, apiKey, quotes);
  const actions = useActions(place.ticker, apiKey);
  const [own = []] = series.bars;
  const marks = useMemo(() => marksOf(actions, own), [actions, own]);
  const content = useContent(place, series, { marks, quote: quotes[0] });
  const { message } = series;
  const toolbar = (
    <ChartToolbar
      place={place}
      series={series}
      onChange={(changes) => replaceRoute({ ...place, ...changes })}
    />
  );
  return (
    <section class="history" aria-label="Historia de precios">
      {!isSmall.value && toolbar}
      {message !== undefined && (
        <p class="notice notice-bad" role="alert">
          {message}
        </p>
      )}
      {own.length === 0 ? (
        <p class={series.isLoading ? 'chart-empty is-loading' : 'chart-empty'}>
          {emptyText(series)}
        </p>
      ) : (
        <ChartFrame content={content} />
      )}
      {isSmall.value && toolbar}
      {children}
      {own.length > 0 && (
        <>
          <ChartNotes place={place} series={series} content={content} />
          {!series.isIntraday && <StatisticsTable series={series.closes} />}
        </>
      )}
      <ActionList actions={actions} />
    </section>
  );
}

function emptyText({ isLoading, isIntraday, message }: ChartSeries): string {
  if (isLoading) return 'Cargando la serie…';
  if (message !== undefined) return 'No se pudo leer la serie.';
  return isIntraday
    ? 'No hay precios intradiarios de esta especie. Se registran desde que el servicio recibe sus precios.'
    : 'No hay precios de cierre de esta especie.';
}

/**
 * The content of the chart. It is the same object until it changes, because drawing is expensive.
 */
function useContent(
  { ticker, compared, range, adjustment, isLog }: InstrumentPlace,
  { bars, from: base, span, isIntraday }: ChartSeries,
  { marks, quote }: { readonly marks: readonly ActionMark[]; readonly quote: Quote | undefined },
): ChartContent {
  const wanted = chartStyle.value;
  return useMemo(() => {
    const [own = []] = bars;
    const from = span?.first ?? base;
    const style = wanted === 'candles' && canDrawCandles(own, from) ? 'candles' : 'line';
    const hasVolume = own.some(({ volume }) => volume !== null && volume > 0);
    const isReceived = bars.map(({ length }) => length > 0);
    const view = [ticker, compared, range, adjustment, isLog, style, marks.length, hasVolume];
    const lines = linesOf([ticker, ...compared], bars, base);
    const times = timesOf(lines);
    return {
      view: JSON.stringify([...view, isReceived]),
      lines,
      times,
      emptyDays: emptyDays(times, span),
      span,
      style,
      quote,
      hasVolume,
      marks,
      from,
      isIntraday,
      isLog,
    };
  }, [
    ticker,
    compared.join(','),
    range,
    adjustment,
    isLog,
    wanted,
    bars,
    base,
    span?.first,
    span?.last,
    marks,
    quote,
  ]);
}

/** The units of the prices of the lines, each once. */
function unitsOf({ lines }: ChartContent): readonly string[] {
  const { value: known } = instruments;
  const units = lines.map(({ ticker }) => unitNameOf(known.get(ticker)));
  return [...new Set(units)].filter((unit) => unit !== '');
}

/** What the user must know to read the chart. */
function ChartNotes({
  place,
  series,
  content,
}: {
  readonly place: InstrumentPlace;
  readonly series: ChartSeries;
  readonly content: ChartContent;
}) {
  const isAlone = place.compared.length === 0;
  const visible = content.lines[0]?.bars.filter(({ time }) => time >= content.from) ?? [];
  const lacksRange = visible.some(({ range }) => range === undefined);
  const { omittedDividends } = series;
  const units = unitsOf(content);
  return (
    <div class="chart-notes">
      {units.length > 1 && (
        <p class="hint">
          Las especies tienen unidades distintas ({units.join(', ')}). El eje muestra la variación
          de cada una en su propia unidad, sin convertirla.
        </p>
      )}
      {missingTexts(content.lines, content.span).map((text) => (
        <p key={text} class="hint">
          {text}
        </p>
      ))}
      {isAlone && chartStyle.value === 'candles' && content.style === 'line' && (
        <p class="hint">
          No hay apertura, máximo y mínimo de estas ruedas: se muestra una línea de cierres.
        </p>
      )}
      {isAlone && content.style === 'candles' && lacksRange && (
        <p class="hint">
          Las ruedas sin apertura, máximo y mínimo se muestran con una línea de cierres.
        </p>
      )}
      {series.isIntraday && content.marks.length > 0 && (
        <p class="hint">Los precios intradiarios no se ajustan.</p>
      )}
      {omittedDividends.length > 0 && (
        <p class="notice">
          El ajuste total no incluye los dividendos del {omittedText(omittedDividends)}: están en
          otra moneda o no son menores que el cierre anterior.
        </p>
      )}
    </div>
  );
}
