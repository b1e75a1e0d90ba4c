import { useMemo } from 'preact/hooks';

import type { HistoryRow } from '../api/quote.ts';
import { comparedMax, rangeCodes } from '../route.ts';
import type { RangeCode } from '../route.ts';
import { DownloadIcon } from '../shell/icons.tsx';
import { replaceRoute } from '../shell/location.ts';
import { ChartFrame } from './chart-frame.tsx';
import { ComparedTickers } from './compared-tickers.tsx';
import { downloadRows } from './download.ts';
import type { InstrumentPlace } from './instrument-page.tsx';
import { rangeStart } from './range.ts';
import { pricePoints, rebasedPoints } from './rebase.ts';
import { StatisticsTable } from './statistics-table.tsx';
import { useHistories } from './use-histories.ts';

const rangeNames: Readonly<Record<RangeCode, string>> = {
  '1m': '1 mes',
  '3m': '3 meses',
  '6m': '6 meses',
  '1a': '1 año',
  '3a': '3 años',
  '5a': '5 años',
  max: 'Todo',
};

/** The closes of an instrument and of the compared ones. */
export function HistorySection({
  place,
  apiKey,
}: {
  readonly place: InstrumentPlace;
  readonly apiKey: string;
}) {
  const tickers = [place.ticker, ...place.compared];
  const histories = useHistories(tickers, apiKey);
  const series = tickers.map((ticker) => histories.rows.get(ticker) ?? []);
  const [own = []] = series;
  const lastDay = own.at(-1)?.fecha;
  const from = lastDay === undefined ? '' : rangeStart(lastDay, place.range);
  const shownRows = series.map((rows) => rows.filter(({ fecha }) => fecha >= from));
  const content = useContent(place, series, from);
  const see = (changes: Partial<InstrumentPlace>) => replaceRoute({ ...place, ...changes });
  return (
    <section class="history" aria-label="Historia de precios de cierre">
      <div class="history-bar">
        <div class="segments" role="group" aria-label="Rango">
          {rangeCodes.map((range) => (
            <button
              key={range}
              type="button"
              aria-pressed={range === place.range}
              onClick={() => see({ range })}
            >
              <span class="wide-only">{rangeNames[range]}</span>
              <span class="narrow-only">{range === 'max' ? 'Todo' : range}</span>
            </button>
          ))}
        </div>
        <button
          type="button"
          class="button button-small"
          aria-pressed={place.isLog}
          onClick={() => see({ isLog: !place.isLog })}
        >
          Escala log.
        </button>
        <ComparedTickers
          ticker={place.ticker}
          compared={place.compared}
          max={comparedMax}
          onChange={(compared) => see({ compared })}
        />
        <Downloads rows={shownRows.flat()} name={`${tickers.join('-')}-${place.range}`} />
      </div>
      {histories.message !== undefined && (
        <p class="notice notice-bad" role="alert">
          {histories.message}
        </p>
      )}
      {own.length === 0 ? (
        <p class="chart-empty">
          {histories.isLoading ? 'Cargando la serie…' : 'No hay precios de cierre de esta especie.'}
        </p>
      ) : (
        <>
          <ChartFrame content={content} rows={series} isCompared={place.compared.length > 0} />
          <StatisticsTable series={shownRows} />
        </>
      )}
    </section>
  );
}

/**
 * The content of the chart. It is the same object until it changes, because drawing is expensive.
 */
function useContent(
  { ticker, compared, isLog }: InstrumentPlace,
  series: readonly (readonly HistoryRow[])[],
  from: string,
) {
  return useMemo(() => {
    const [own = []] = series;
    const isCompared = compared.length > 0;
    const points = isCompared ? rebasedPoints(series, from) : [pricePoints(own, '')];
    const lines = [ticker, ...compared].map((name, at) => ({
      ticker: name,
      points: points[at] ?? [],
    }));
    const volumes = own.flatMap(({ fecha, volumen }) =>
      volumen === null ? [] : [{ time: fecha, value: volumen }],
    );
    return { lines, volumes, from, isLog };
  }, [ticker, compared.join(','), isLog, from, series.map(({ length }) => length).join(',')]);
}

function Downloads({
  rows,
  name,
}: {
  readonly rows: readonly HistoryRow[];
  readonly name: string;
}) {
  return (
    <div class="downloads" role="group" aria-label="Descargar el rango">
      {(['csv', 'json'] as const).map((format) => (
        <button
          key={format}
          type="button"
          class="button button-small"
          disabled={rows.length === 0}
          onClick={() => void downloadRows(rows, { name, format })}
        >
          <DownloadIcon />
          {format.toUpperCase()}
        </button>
      ))}
    </div>
  );
}
