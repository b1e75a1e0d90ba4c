import { limitRows } from './limit-rows.ts';
import type { LimitedRows } from './limit-rows.ts';
import { readState, warningsOf } from './read-state.ts';
import type { ServiceState } from './read-state.ts';
import { without } from './service-client.ts';
import type { Query, Row, ServiceClient } from './service-client.ts';

/** The dates of an open range. The service requires both (contract 4.2.1). */
const ever = { desde: '0001-01-01', hasta: '9999-12-31' } as const;

interface Series extends LimitedRows<Row>, Pick<ServiceState, 'datos'> {
  readonly consultado: string | undefined;
  readonly avisos: readonly string[];
  readonly faltan: readonly string[];
}

/**
 * Reads the rows of one instrument within a range of dates, and keeps the latest of them. The rows lose
 * their ticker, which is that of the result.
 *
 * @throws ServiceFault when the service refuses the request, or does not respond.
 */
export async function readSeries(
  client: ServiceClient,
  {
    path,
    especie,
    range,
    query = {},
    limite,
  }: {
    readonly path: string;
    readonly especie: string;
    readonly range: { readonly desde: string | undefined; readonly hasta: string | undefined };
    readonly query?: Query;
    readonly limite: number;
  },
): Promise<Series> {
  const isBars = path === '/intradiarios';
  const { desde, hasta } = isBars ? range : withBounds(range);
  const [{ rows, missing }, state] = await Promise.all([
    client.rows(path, { especie, desde, hasta, ...query }),
    readState(client),
  ]);
  const { filas, total, truncado } = limitRows(rows, { max: limite, keep: 'last' });
  return {
    datos: state.datos,
    consultado: state.consultado,
    avisos: [...warningsOf(state), ...(truncado ? [truncationOf(filas, total)] : [])],
    total,
    truncado,
    faltan: missing,
    filas: filas.map((row) => without(row, 'especie')),
  };
}

function withBounds(range: {
  readonly desde: string | undefined;
  readonly hasta: string | undefined;
}) {
  return { desde: range.desde ?? ever.desde, hasta: range.hasta ?? ever.hasta };
}

/** What was left out, and how to request it. The first day that is shown may be incomplete. */
function truncationOf(shown: readonly Row[], total: number): string {
  const first = String(shown[0]?.['fecha']);
  return `Se muestran las últimas ${shown.length} filas de ${total}. Para las anteriores, pedir con hasta=${first}, o subir "limite".`;
}
