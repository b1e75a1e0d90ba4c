import { limitRows, type LimitedRows } from './limit-rows.ts';
import { meantBy, readState, warningsOf, type ServiceState } from './read-state.ts';
import { without, type Query, type ResponseRow, type ServiceClient } from './service-client.ts';

/** The dates of an open range. */
const ever = { desde: '0001-01-01', hasta: '9999-12-31' } as const;

interface Series extends LimitedRows<ResponseRow>, Pick<ServiceState, 'datos'> {
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
  const { desde, hasta } = range;
  // Bars without dates are those of the last session (contract 4.9).
  const isLastSession = path === '/intradiarios' && desde === undefined && hasta === undefined;
  const dates = isLastSession ? {} : { desde: desde ?? ever.desde, hasta: hasta ?? ever.hasta };
  const [{ rows, missing, missingDividends }, state] = await Promise.all([
    client.rows(path, { especie, ...dates, ...query }),
    readState(client),
  ]);
  const { filas, total, truncado } = limitRows(rows, { max: limite, keep: 'last' });
  return {
    datos: state.datos,
    consultado: state.consultado,
    avisos: [
      ...warningsOf(state),
      ...(await meantBy(client, missing)),
      ...(truncado ? [truncationOf(filas, total)] : []),
      ...(missingDividends.length === 0 ? [] : [omissionOf(missingDividends)]),
    ],
    total,
    truncado,
    faltan: missing,
    filas: filas.map((row) => without(row, 'especie')),
  };
}

/** What was left out, and how to request it. The first day that is shown may be incomplete. */
function truncationOf(shown: readonly ResponseRow[], total: number): string {
  const first = String(shown[0]?.['fecha']);
  return `Se muestran las últimas ${shown.length} filas de ${total}. Para las anteriores, pedir con hasta=${first}, o subir "limite".`;
}

/** The dividends that `ajuste=total` leaves out, and why (contract 4.2.7). */
function omissionOf(dates: readonly string[]): string {
  return `El ajuste omite los dividendos de ${dates.join(', ')}: están en otra moneda o no son menores que el cierre anterior.`;
}
