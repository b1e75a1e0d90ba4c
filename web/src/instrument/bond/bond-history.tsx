import { useMemo } from 'preact/hooks';

import type { Bar } from '../../chart/drawing/bars.ts';
import { chartContent } from '../../chart/drawing/chart-content.ts';
import { ChartFrame } from '../../chart/drawing/chart-frame.tsx';
import { isIntradayRange, rangeSpan } from '../../chart/series/range.ts';
import type { BondClose } from '../../market/api/quote.ts';
import { useAnswer } from '../../market/rows/use-rows.ts';
import { isBond } from '../../market/facts/instrument-facts.ts';
import { today } from '../../market/health-watch.ts';
import { instruments } from '../../market/instruments.ts';
import { conventionOf } from '../../places/bond-convention.ts';
import type { InstrumentPlace } from '../../places/route.ts';

/**
 * The yield of a bond at each close of the range of the page, and its difference with that of the first bond that the
 * page compares.
 */
export function BondHistory({ place }: { readonly place: InstrumentPlace }) {
  const { ticker } = place;
  const range = isIntradayRange(place.range) ? '1m' : place.range;
  const other = place.compared.find((one) => isBond(instruments.value.get(one)));
  const span = rangeSpan(today.value, range);
  const query = new URLSearchParams({
    especie: ticker,
    desde: span?.first ?? '1900-01-01',
    hasta: today.value,
    convencion: conventionOf(place),
    ...(other === undefined ? {} : { contra: other }),
  });
  const { rows, refusal } = useAnswer<BondClose>(`/bonos/historicos?${query}`);
  const content = useMemo(() => {
    const tir = {
      name: `TIR ${ticker}`,
      unit: '%',
      color: 1,
      bars: barsOf(rows, (row) => row.tir),
    };
    const bars = barsOf(rows, ({ diferencia }) => diferencia);
    const spread = { name: `Diferencia con ${other}`, unit: 'puntos', color: 2, bars };
    const sources = bars.length === 0 ? [tir] : [tir, spread];
    const none = { quote: undefined, end: undefined };
    return chartContent({ sources, range, span, wanted: 'line', ...none });
  }, [rows, other, range, span?.first]);
  const text =
    refusal ?? (rows === undefined ? 'Cargando las TIR…' : 'No hay cierres con TIR en este rango.');
  return (
    <section class="bond-history stack" aria-labelledby="bond-history-title">
      <h2 id="bond-history-title">TIR en el tiempo</h2>
      {content.times.length === 0 ? (
        <p class="muted">{text}</p>
      ) : (
        <>
          <ChartFrame content={content} kind="Serie" />
          <p class="hint">
            A cada cierre, liquidado como una operación de esa rueda.
            {other === undefined &&
              ' Al comparar el precio con el de otro bono, se agrega la diferencia de sus TIR.'}
          </p>
        </>
      )}
    </section>
  );
}

/** A figure of each row as bars of a line. */
function barsOf(
  rows: readonly BondClose[] | undefined,
  read: (row: BondClose) => number | null | undefined,
): readonly Bar[] {
  return (rows ?? []).flatMap((row) => {
    const value = read(row);
    const { fecha } = row;
    return value === null || value === undefined
      ? []
      : [{ time: fecha, day: fecha, close: value, volume: null }];
  });
}
