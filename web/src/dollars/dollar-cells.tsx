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
import type { SortedColumn } from '../ui/table/sorted-table.tsx';

/** A link to the page of an instrument. */
export function TickerLink({ ticker, text }: { readonly ticker: string; readonly text?: string }) {
  return <a href={formatRoute(instrumentRoute(ticker))}>{text ?? ticker}</a>;
}

type PriceField = 'compra' | 'venta' | 'ultimo';

/** A price in pesos, or the canje in percent. */
export function priceOf(row: DollarRow | undefined, field: PriceField): string {
  const value = row?.[field] ?? undefined;
  return row?.dolar === 'canje' ? formatPercent(value) : formatPrice(value);
}

/** By how much a dollar is above the wholesale one. */
export function gapOf(row: DollarRow | undefined): string {
  return formatChange(row?.brecha, 'percent');
}

/** The time of a dollar, or its day if it is not of today. */
export function timeOf({ fecha, hora }: DollarRow): string {
  return hora !== null && fecha === today.value ? hora : formatDay(fecha);
}

/** The latest of some rows. */
export function latestOf(rows: readonly (DollarRow | undefined)[]): DollarRow | undefined {
  const known = rows.filter((row) => row !== undefined);
  return known.toSorted((a, b) => (momentOf(a) < momentOf(b) ? 1 : -1))[0];
}

/** The class of a figure of an earlier session, or of one that may not be current. */
export function ageClass({ numerador, fecha, estado }: DollarRow): string {
  if (estado !== 'ok') return 'is-unknown';
  if (numerador === null) return '';
  return `is-${freshnessOf({ especie: numerador, fecha })}`;
}

/** Why a figure is a dash or grey. */
export function noteOf(
  row: DollarRow,
  field: PriceField | 'brecha' | 'hora' = 'ultimo',
): string | undefined {
  if (field === 'brecha' && row.brecha === null && row.ultimo !== null) {
    return 'Sin dólar mayorista de la misma rueda ni de la anterior';
  }
  if (field !== 'hora' && field !== 'brecha' && row[field] === null) return orderReason(row);
  if (row.estado !== 'ok') return stateNote(row);
  if (ageClass(row) === 'is-earlier') return `De una rueda anterior: ${fullTime(row)}`;
  return field === 'hora' ? fullTime(row) : undefined;
}

/** Reads the row of a line of a table. Undefined if the line has none. */
type RowOf<Line> = (line: Line) => DollarRow | undefined;

/** A column of prices. A line without a row has a dash, with the reason. */
export function priceColumn<Line>(
  title: string,
  field: PriceField,
  {
    rowOf,
    reason,
    best,
  }: {
    readonly rowOf: RowOf<Line>;
    readonly reason?: string;
    /** The row with the best order of all, and what that is the best for. */
    readonly best?: { readonly row: DollarRow | undefined; readonly use: string };
  },
): SortedColumn<Line> {
  return {
    title,
    value: (line) => rowOf(line)?.[field],
    cell: (line) => {
      const row = rowOf(line);
      const text = priceOf(row, field);
      const note = row === undefined ? reason : noteOf(row, field);
      const use = row !== undefined && row === best?.row ? best.use : undefined;
      return (
        <td class={use === undefined ? row && ageClass(row) : 'dollar-best'} title={use ?? note}>
          {field === 'ultimo' ? <strong>{text}</strong> : text}
          {use !== undefined && <span class="visually-hidden"> {use}</span>}
        </td>
      );
    },
  };
}

/** The column of the gap over the wholesale dollar. */
export function gapColumn<Line>(title: string, rowOf: RowOf<Line>): SortedColumn<Line> {
  return {
    title,
    meaning: 'Diferencia con el dólar mayorista',
    value: (line) => rowOf(line)?.brecha,
    cell: (line) => {
      const row = rowOf(line);
      return <td class={row && ageClass(row)}>{gapOf(row)}</td>;
    },
  };
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
