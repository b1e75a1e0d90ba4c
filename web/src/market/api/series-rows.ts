import type { Adjustment, HistoryRow } from './quote.ts';
import { fetchBody, type Outcome } from './service.ts';

/** The adjustments of a series (`ajuste` of the contract). */
export const adjustments = ['ninguno', 'splits', 'total'] as const satisfies readonly Adjustment[];

/** One row of `/eventos` (`Evento` in openapi.json). */
export interface ActionRow {
  readonly especie: string;
  /** The ex date. */
  readonly fecha: string;
  readonly tipo:
    | 'split'
    | 'dividendo-acciones'
    | 'dividendo'
    | 'ratio'
    | 'suscripcion'
    | 'escision'
    | 'cambio-ticker';
  readonly factor?: number;
  readonly importe?: number;
  readonly moneda?: string;
  readonly detalle?: string;
}

/** The response of `/historicos`. */
export interface Series {
  readonly rows: readonly HistoryRow[];
  /**
   * The ex dates of the dividends that the adjustment leaves out. If there are more than 50, the last
   * entry is `…+N`, the number of the others (contract 4.2.7).
   */
  readonly omittedDividends: readonly string[];
}

/** Requests `/historicos`. */
export function fetchSeries(
  params: URLSearchParams,
  options: { readonly key: string; readonly signal: AbortSignal },
): Promise<Outcome<Series>> {
  return fetchBody(`/historicos?${params}`, options, async (response) => ({
    rows: (await response.json()) as readonly HistoryRow[],
    omittedDividends: (response.headers.get('missing-dividendos') ?? '')
      .split(',')
      .filter((name) => name !== '')
      .map(decodeURIComponent),
  }));
}
