import { useSignal } from '@preact/signals';

import styles from '../../styles/views.css?inline';
import type { ActionRow } from '../../market/api/series-rows.ts';
import { NotStored } from '../../market/broken-line.tsx';
import { isLost } from '../../market/connection.ts';
import { useAnswer, useAnswers, useTerms } from '../../market/rows/use-rows.ts';
import { isBond } from '../../market/facts/instrument-facts.ts';
import { formatDay } from '../../market/format/numbers.ts';
import { today } from '../../market/health-watch.ts';
import { useBoard } from '../state/board-context.ts';
import { formatRoute, instrumentRoute } from '../../places/route.ts';
import { Button } from '../../ui/button.tsx';
import { ExportButton } from '../../ui/export-dialog.tsx';
import { addStyles } from '../../ui/screen/add-styles.ts';
import { FramedTable, Noted, type Column } from '../../ui/table/framed-table.tsx';
import { EmptyBoard } from '../state/empty-board.tsx';
import { baseOf, listEvents, type ListEvent } from './list-events.ts';
import type { BondFlow } from '../../market/api/quote.ts';

addStyles(styles);

/** The number of years that are shown before all are asked for. */
const yearsShown = 1;

/** The calendar of a board: coupons, redemptions and maturities of its bonds, and announced ex dates. */
export function CalendarView() {
  const { name, shown } = useBoard();
  const hasAll = useSignal(false);
  const tickers = shown.value;
  const terms = useTerms();
  const day = today.value;
  const query = new URLSearchParams({
    especie: tickers.toSorted().join(','),
    forma: 'larga',
    desde: day,
    hasta: '9999-12-31',
  });
  const actions = useAnswer<ActionRow>(tickers.length === 0 ? undefined : `/eventos?${query}`);
  const bonds = tickers.filter((ticker) => isBond(terms?.get(ticker)));
  const bases = [...new Set(bonds.map((ticker) => baseOf(terms?.get(ticker), ticker)))].toSorted();
  const payments = useAnswers<BondFlow>(bases.map(flowsPath));
  const flows = new Map(
    bases.flatMap((base) => {
      const answer = payments.get(flowsPath(base));
      return answer === undefined ? [] : [[base, answer.rows ?? []] as const];
    }),
  );
  if (tickers.length === 0) return <EmptyBoard />;
  const events = listEvents(tickers, {
    actions: actions.rows ?? [],
    flows,
    infoOf: (ticker) => terms?.get(ticker),
    today: day,
  });
  const last = `${Number(day.slice(0, 4)) + yearsShown}${day.slice(4)}`;
  const near = events.filter((event) => event.day <= last);
  // All dates come at once, so that none moves another.
  const isLoading =
    terms === undefined ||
    (actions.rows === undefined && actions.refusal === undefined) ||
    flows.size < bases.length;
  if (isLoading && isLost.value) return <NotStored />;
  const visible = isLoading ? [] : hasAll.value || near.length === 0 ? events : near;
  return (
    <div class="view content">
      <section class="stack">
        <div class="bar">
          <h2>Calendario</h2>
          <p class="hint" role="status">
            {isLoading
              ? 'Cargando los pagos…'
              : events.length === 0
                ? 'No hay pagos, vencimientos ni fechas ex por venir.'
                : 'Pagos y vencimientos de los bonos, cada 100 nominales, y fechas ex anunciadas.'}
            {actions.refusal !== undefined && ` ${actions.refusal}`}
          </p>
          {visible.length > 0 && (
            <ExportButton
              title="Exportar el calendario"
              name={`Calendario ${name}`}
              hint={`Se exportan las ${visible.length} filas que se ven.`}
              isEmpty={false}
              tableOf={() => ({
                fields: ['fecha', 'especies', 'evento', 'importe', 'nota'],
                rows: visible.map(({ day: on, tickers: own, what, amount, note = null }) => [
                  on,
                  own.join(' '),
                  what,
                  amount,
                  note,
                ]),
              })}
            >
              Exportar
            </ExportButton>
          )}
        </div>
        {visible.length > 0 && (
          <FramedTable
            label="Calendario"
            frameClass="listing-frame calendar-frame texts"
            columns={columns}
            rows={visible}
            headingOf={({ day: on }) => formatMonth(on)}
          />
        )}
        {!isLoading && visible.length < events.length && (
          <Button onClick={() => (hasAll.value = true)}>
            Ver las {events.length} fechas hasta {formatDay(events.at(-1)?.day ?? '')}
          </Button>
        )}
      </section>
    </div>
  );
}

const columns: readonly Column<ListEvent>[] = [
  ['Fecha', ({ day }) => <Noted text={formatDay(day)} note={distance(day)} />],
  [
    'Especie',
    ({ tickers }) =>
      tickers.map((ticker) => (
        <a key={ticker} href={formatRoute(instrumentRoute(ticker))} data-ticker={ticker}>
          {ticker}
        </a>
      )),
  ],
  ['Evento', ({ what }) => what],
  ['Importe', ({ amount, note }) => <Noted text={amount} note={note} />],
];

const monthFormat = new Intl.DateTimeFormat('es-AR', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** The month of a day: `noviembre de 2026`. */
function formatMonth(day: string): string {
  return monthFormat.format(Date.parse(day));
}

/** How far a day is: `hoy`, `mañana`, `en 12 días`. */
function distance(day: string): string {
  const days = Math.round((Date.parse(day) - Date.parse(today.value)) / 86_400_000);
  return ['hoy', 'mañana'][days] ?? `en ${days} días`;
}

function flowsPath(ticker: string): string {
  return `/bonos/flujos?especie=${encodeURIComponent(ticker)}`;
}
