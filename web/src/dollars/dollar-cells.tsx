import type { DollarRow } from '../market/api/quote.ts';
import {
  absent,
  formatChange,
  formatDay,
  formatPercent,
  formatPrice,
} from '../market/format/numbers.ts';
import { freshnessOf } from '../market/freshness.ts';
import { today } from '../market/health-watch.ts';
import { formatRoute, instrumentRoute } from '../places/route.ts';

/** Why the service has no gap. */
const gapReason = 'Sin dólar mayorista de la misma rueda ni de la anterior';

/** A link to the page of an instrument. */
export function TickerLink({ ticker, text }: { readonly ticker: string; readonly text?: string }) {
  return <a href={formatRoute(instrumentRoute(ticker))}>{text ?? ticker}</a>;
}

/** A price in pesos, the canje in percent, or a dash that says why there is none. */
export function PriceCell({
  row,
  field,
  reason,
  className = '',
}: {
  readonly row: DollarRow | undefined;
  readonly field: 'compra' | 'venta' | 'ultimo';
  /** Why there is no row. */
  readonly reason?: string | undefined;
  readonly className?: string;
}) {
  const value = row?.[field];
  if (row === undefined || value === null || value === undefined) {
    const why = row === undefined ? reason : orderReason(row);
    return (
      <td class={className} title={why}>
        {absent}
      </td>
    );
  }
  const text = row.dolar === 'canje' ? formatPercent(value) : formatPrice(value);
  return (
    <td class={`${className} ${ageClass(row)}`} title={ageNote(row)}>
      {field === 'ultimo' ? <strong>{text}</strong> : text}
    </td>
  );
}

/** By how much a dollar is above the wholesale one. */
export function GapCell({
  row,
  className = '',
}: {
  readonly row: DollarRow | undefined;
  readonly className?: string;
}) {
  if (row === undefined) return <td class={className}>{absent}</td>;
  const { brecha } = row;
  return (
    <td
      class={`${className} ${ageClass(row)}`}
      title={brecha === null && row.ultimo !== null ? gapReason : ageNote(row)}
    >
      {brecha === null ? absent : formatChange(brecha, 'percent')}
    </td>
  );
}

/** The time of the latest of some rows, or its day if it is not of today. */
export function TimeCell({ rows }: { readonly rows: readonly (DollarRow | undefined)[] }) {
  const known = rows.filter((row) => row !== undefined);
  const latest = known.toSorted((a, b) => (momentOf(a) < momentOf(b) ? 1 : -1))[0];
  if (latest === undefined) return <td>{absent}</td>;
  const { fecha, hora } = latest;
  const isTime = hora !== null && fecha === today.value;
  return (
    <td class={`dollar-time ${ageClass(latest)}`} title={ageNote(latest) ?? fullTime(latest)}>
      {isTime ? hora.slice(0, 5) : formatDay(fecha)}
      {/* A phone has no room for the seconds. */}
      {isTime && <span class="dollar-side">{hora.slice(5)}</span>}
    </td>
  );
}

/** The class of a figure of an earlier session, or of one that may not be current. */
function ageClass({ numerador, fecha, estado }: DollarRow): string {
  if (estado !== 'ok') return 'is-unknown';
  if (numerador === null) return '';
  return `is-${freshnessOf({ especie: numerador, fecha })}`;
}

function ageNote(row: DollarRow): string | undefined {
  if (row.estado !== 'ok') return stateNote(row);
  return ageClass(row) === 'is-earlier' ? `De una rueda anterior: ${fullTime(row)}` : undefined;
}

function stateNote({ estado, hora }: DollarRow): string {
  const [, late] = /^atrasada (.+)$/.exec(estado) ?? [];
  if (late === undefined) return 'Precio dudoso: los demás precios lo contradicen';
  return `El precio de ${late} es de las ${hora ?? absent}, más de 15 minutos anterior al otro`;
}

function fullTime({ fecha, hora }: DollarRow): string {
  return hora === null ? formatDay(fecha) : `${formatDay(fecha)}, ${hora}`;
}

function momentOf({ fecha, hora }: DollarRow): string {
  return `${fecha} ${hora ?? ''}`;
}

function orderReason(row: DollarRow): string {
  const { calculo, estado } = row;
  if (estado === 'precio-dudoso') return stateNote(row);
  if (calculo === 'publicado') return 'La fuente no publica puntas';
  if (calculo === 'mediana') return 'La mediana es la de los últimos precios';
  return 'Falta una de las puntas que se necesitan';
}
