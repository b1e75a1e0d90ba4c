import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';

import type { Quote } from '../market/api/quote.ts';
import type { ActionRow } from '../market/api/series-rows.ts';
import { useAnswer } from '../market/rows/use-rows.ts';
import { beginning } from '../chart/series/range.ts';
import { lastRange, replaceRoute } from '../places/location.ts';
import { actionNames, actionValue, marksOf } from '../chart/drawing/actions.ts';
import { missingTexts } from '../chart/drawing/empty-days.ts';
import { buenosAiresDay } from '../market/format/buenos-aires.ts';
import { formatDay } from '../market/format/numbers.ts';
import { serviceNow } from '../market/health-watch.ts';
import { FramedTable, Noted } from '../ui/table/framed-table.tsx';
import { ChartFrame } from '../chart/drawing/chart-frame.tsx';
import { ChartNotes } from './chart-notes.tsx';
import { ChartToolbar } from './tools/chart-toolbar.tsx';
import type { InstrumentPlace, RangeCode } from '../places/route.ts';
import { Problem } from '../ui/problem.tsx';
import { isSmall } from '../ui/screen-size.ts';
import { canHaveLevels, LevelList, markLevel, useLevels } from './levels.tsx';
import { StatisticsTable } from './statistics-table.tsx';
import { useChartSeries, type ChartSeries } from '../chart/series/use-chart-series.ts';
import { useChartContent } from './use-chart-content.ts';
import { ValuesTable } from './values-table.tsx';

const none = [] as const;

/** The chart of an instrument and of the compared ones, with what belongs to it. */
export function HistorySection({
  place,
  quotes,
  children,
}: {
  readonly place: InstrumentPlace;
  /** The quotes of {@link followedTickers}: of the instrument, of the compared ones and of the dollar. */
  readonly quotes: readonly (Quote | undefined)[];
  /** What is shown below the chart and its tools. */
  readonly children: ComponentChildren;
}) {
  const series = useChartSeries(place, quotes);
  // Announced actions are included. The series beside them reports a failure of the service.
  const query = new URLSearchParams({
    especie: place.ticker,
    desde: beginning,
    hasta: '9999-12-31',
  });
  const { rows: actions = none } = useAnswer<ActionRow>(`/eventos?${query}`);
  const own = series.lines[0]?.bars ?? none;
  const marks = useMemo(() => marksOf(actions, own), [actions, own]);
  const levels = useLevels(place);
  const isMarking = useSignal(false);
  const mark = (price: number) => {
    markLevel(place.ticker, price);
    isMarking.value = false;
  };
  const content = useChartContent(place, series, { marks, levels, quote: quotes[0] });
  const { message } = series;
  const chooseRange = (range: RangeCode) => {
    const { isLastRange: _, ...rest } = place;
    lastRange.value = range;
    replaceRoute({ ...rest, range });
  };
  const toolbar = (
    <ChartToolbar
      place={place}
      series={series}
      onChange={(changes) => replaceRoute({ ...place, ...changes })}
      onRange={chooseRange}
      isMarking={canHaveLevels(place) ? isMarking : undefined}
    />
  );
  return (
    <section
      class="history stack gap-5"
      style={{ '--lines': place.compared.length + 1 }}
      aria-label="Historia de precios"
    >
      {!isSmall.value && toolbar}
      <Problem>{message}</Problem>
      {/* Above the chart, which may be empty: what is below it may be outside the screen. */}
      {missingTexts(content.lines, content.span).map((text) => (
        <p key={text} class="hint">
          {text}
        </p>
      ))}
      {own.length === 0 ? (
        <p class={`chart-empty panel table-empty ${series.isLoading ? 'is-loading' : ''}`}>
          {emptyText(series)}
        </p>
      ) : (
        <ChartFrame content={content} onPrice={isMarking.value ? mark : undefined} />
      )}
      <LevelList place={place} quote={quotes[0]} />
      {isSmall.value && toolbar}
      {children}
      <ChartNotes place={place} series={series} content={content} quote={quotes[0]} />
      {own.length > 0 && (
        <>
          {!series.isIntraday && <StatisticsTable series={series.closes} lines={series.lines} />}
          <ValuesTable content={content} />
        </>
      )}
      <ActionList actions={actions} />
    </section>
  );
}

function emptyText({
  isLoading,
  isIntraday,
  isQuotient,
  message,
  refusals,
  missing,
}: ChartSeries): string {
  if (isLoading) return 'Cargando la serie…';
  if (message !== undefined) return 'No se pudo leer la serie.';
  if (refusals.length > 0) return refusals.join(' ');
  if (missing.some(({ days }) => days.length > 0)) return 'No hay precios en esta moneda.';
  if (isQuotient) return 'No hay ruedas en las que ambas especies tengan un precio.';
  return isIntraday
    ? 'No hay precios intradiarios de esta especie. Se registran desde que el servicio recibe sus precios.'
    : 'No hay precios de cierre de esta especie.';
}

/** The corporate actions of an instrument, the latest first. It is also the legend of the marks. */
function ActionList({ actions }: { readonly actions: readonly ActionRow[] }) {
  if (actions.length === 0) return null;
  const today = buenosAiresDay(serviceNow());
  return (
    <section class="actions stack" aria-labelledby="actions-title">
      <h2 id="actions-title">Eventos corporativos</h2>
      <FramedTable
        label="Eventos"
        frameClass="long-frame texts"
        caption="La marca identifica el evento en el gráfico. La fecha es la primera rueda con precios posteriores al evento."
        columns={[
          [
            'Fecha',
            ({ fecha }) => <Noted text={formatDay(fecha)} note={fecha > today && 'anunciado'} />,
          ],
          ['Marca', ({ tipo }) => <span class="badge mark">{actionNames[tipo].letter}</span>],
          ['Evento', ({ tipo }) => actionNames[tipo].name],
          ['Valor', actionValue],
        ]}
        rows={actions.toReversed()}
      />
    </section>
  );
}
