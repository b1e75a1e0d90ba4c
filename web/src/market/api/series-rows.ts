import type { Evento } from '../../../../clients/typescript/src/contract.ts';
import type { Adjustment, HistoryRow } from './quote.ts';
import { fetchResult, type Outcome } from './service.ts';

/** The adjustments of a series (`ajuste` of the contract). */
export const adjustments = ['ninguno', 'splits', 'total'] as const satisfies readonly Adjustment[];

/** One row of `/eventos`, of any type (`Evento` of the contract). */
export interface ActionRow {
  readonly especie: string;
  /** The ex date. */
  readonly fecha: string;
  readonly tipo: Evento['tipo'];
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
export async function fetchSeries(
  params: URLSearchParams,
  options: Parameters<typeof fetchResult>[1],
): Promise<Outcome<Series>> {
  const outcome = await fetchResult<readonly HistoryRow[]>(`/historicos?${params}`, options);
  if (!outcome.ok) return outcome;
  const { data: rows, missingDividends, missingDividendsOmitted: more } = outcome.value;
  const omittedDividends = [...missingDividends, ...(more > 0 ? [`…+${more}`] : [])];
  return { ok: true, value: { rows, omittedDividends } };
}
