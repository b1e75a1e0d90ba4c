import { omittedText } from '../chart/drawing/actions.ts';
import type { ChartContent } from '../chart/drawing/chart-content.ts';
import { chartStyle } from '../chart/drawing/chart-frame.tsx';
import { conversionTexts } from '../chart/figures/conversion-texts.ts';
import { servedDollar, type ChartSeries } from '../chart/series/use-chart-series.ts';
import type { Quote } from '../market/api/quote.ts';
import { instruments } from '../market/instruments.ts';
import type { InstrumentPlace } from '../places/route.ts';
import { isWeightedDay, meanPrice } from '../chart/figures/weighted-price.ts';
import { isSimulated } from '../market/health-watch.ts';
import { formatPrice } from '../market/format/numbers.ts';

/** What the user must know to read the chart. */
export function ChartNotes({
  place,
  series,
  content,
  quote,
}: {
  readonly place: InstrumentPlace;
  readonly series: ChartSeries;
  readonly content: ChartContent;
  readonly quote: Quote | undefined;
}) {
  if (series.isLoading) return null;
  const isDrawn = (series.lines[0]?.bars ?? []).length > 0;
  const visible = content.lines[0]?.bars.filter(({ time }) => time >= content.from) ?? [];
  const lacksRange = visible.some(({ range }) => range === undefined);
  const { omittedDividends } = series;
  const mayBeCandles = chartStyle.value === 'candles' && !series.isQuotient;
  const isAlone = place.compared.length === 0;
  const texts = [
    ...conversionTexts(place, {
      infos: instruments.value,
      missing: series.missing,
      isIntraday: series.isIntraday,
      isServed: servedDollar(place) !== undefined,
    }),
    ...(isDrawn ? series.refusals : []),
    isDrawn &&
      isAlone &&
      mayBeCandles &&
      content.style === 'line' &&
      'No hay apertura, máximo y mínimo de estas ruedas: se muestra una línea de cierres.',
    isAlone &&
      content.style === 'candles' &&
      lacksRange &&
      'Las ruedas sin apertura, máximo y mínimo se muestran con una línea de cierres.',
    series.isIntraday && content.marks.length > 0 && 'Los precios intradiarios no se ajustan.',
  ].filter((text) => text !== false);
  return (
    <div class="chart-notes stack gap-3">
      {texts.map((text) => (
        <p key={text} class="hint">
          {text}
        </p>
      ))}
      {isDrawn && isWeightedDay(place) && <WeightedNote content={content} quote={quote} />}
      {omittedDividends.length > 0 && (
        <p class="notice">
          El ajuste total no incluye los dividendos del {omittedText(omittedDividends)}: están en
          otra moneda o no son menores que el cierre anterior.
        </p>
      )}
    </div>
  );
}

/** What the volume-weighted price of the chart is, and the exact one of the session if it is known. */
function WeightedNote({
  content,
  quote,
}: {
  readonly content: ChartContent;
  readonly quote: Quote | undefined;
}) {
  const pricePer = instruments.value.get(quote?.especie ?? '')?.precioPor;
  const { lines, overlays, isConverted } = content;
  const isEmpty = overlays.at(-1)?.points.length === 0;
  const isSameDay = quote !== undefined && quote.fecha === lines[0]?.bars.at(-1)?.day;
  // The amount of a demonstration is not that of its trades.
  const isKnown = isSameDay && !isConverted && !isSimulated.value;
  const exact = isKnown ? meanPrice(quote, pricePer) : undefined;
  return (
    <>
      <p class="hint">
        {isEmpty
          ? 'No hay volúmenes de esta rueda: no se puede calcular el precio promedio ponderado (VWAP).'
          : 'VWAP: el promedio de (máximo + mínimo + cierre) ÷ 3 de cada minuto, ponderado por su volumen.'}
      </p>
      {exact !== undefined && (
        <p class="hint">
          Precio promedio de la rueda según su monto y su volumen: {formatPrice(exact)}{' '}
          {lines[0]?.unit}.
        </p>
      )}
    </>
  );
}
