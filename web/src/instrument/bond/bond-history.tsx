import { useMemo } from 'preact/hooks';

import { linesOf, timesOf, type ChartContent } from '../../chart/drawing/chart-content.ts';
import { ChartFrame } from '../../chart/drawing/chart-frame.tsx';
import { soleContent } from '../../chart/drawing/sole-content.ts';
import { rangeSpan } from '../../chart/series/range.ts';
import { isIntradayRange } from '../../chart/series/stale-series.ts';
import type { BondClose } from '../../market/api/quote.ts';
import { useAnswer } from '../../market/rows/use-answer.ts';
import { isBond } from '../../market/facts/instrument-facts.ts';
import { today } from '../../market/health-watch.ts';
import { instruments } from '../../market/instruments.ts';
import { conventionOf } from '../../places/bond-convention.ts';
import type { InstrumentPlace } from '../../places/route.ts';

/**
 * The yield of a bond at each close of the range of the page, and its difference with that of the first bond that the
 * page compares.
 */
export function BondHistory({
  place,
  apiKey,
}: {
  readonly place: InstrumentPlace;
  readonly apiKey: string;
}) {
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
  const { rows, refusal } = useAnswer<BondClose>(`/bonos/historicos?${query}`, apiKey);
  const content = useMemo(() => {
    const bars = barsOf(rows, ({ tir }) => tir);
    const wanted = 'line' as const;
    const name = `TIR ${ticker}`;
    const none = { quote: undefined, end: undefined };
    const sole = soleContent({ ticker: name, unit: '%', range, bars, span, wanted, ...none });
    const spread = barsOf(rows, ({ diferencia }) => diferencia);
    return other === undefined || spread.length === 0
      ? sole
      : withSpread(sole, `Diferencia con ${other}`, spread);
  }, [rows, other, range, span?.first]);
  const text =
    refusal ?? (rows === undefined ? 'Cargando las TIR…' : 'No hay cierres con TIR en este rango.');
  return (
    <section class="bond-history" aria-labelledby="bond-history-title">
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

type Bars = ChartContent['lines'][number]['bars'];

/** A figure of each row as bars of a line. */
function barsOf(
  rows: readonly BondClose[] | undefined,
  read: (row: BondClose) => number | null | undefined,
): Bars {
  return (rows ?? []).flatMap((row) => {
    const value = read(row);
    const { fecha } = row;
    return value === null || value === undefined
      ? []
      : [{ time: fecha, day: fecha, close: value, volume: null }];
  });
}

function withSpread(content: ChartContent, name: string, bars: Bars): ChartContent {
  const { from, lines: own } = content;
  const spread = { names: [name], units: ['puntos'], colors: [2], bars: [bars] };
  const lines = [...own, ...linesOf(spread, { from, isRebased: false })];
  return { ...content, view: `${content.view} ${name}`, lines, times: timesOf(lines) };
}
