import type { ChartContent } from '../chart/drawing/chart-content.ts';
import { meanPrice } from '../chart/figures/weighted-price.ts';
import { usePricePer } from '../chart/series/use-price-per.ts';
import type { Quote } from '../market/api/quote.ts';
import { isSimulated } from '../market/health-watch.ts';
import { formatPrice } from '../market/format/numbers.ts';

/** What the volume-weighted price of the chart is, and the exact one of the session if it is known. */
export function WeightedNote({
  content,
  quote,
  apiKey,
}: {
  readonly content: ChartContent;
  readonly quote: Quote | undefined;
  readonly apiKey: string;
}) {
  const pricePer = usePricePer(quote?.especie, apiKey);
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
