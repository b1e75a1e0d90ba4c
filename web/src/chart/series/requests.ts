import { noteRefusedKey } from '../../key/api-key.ts';
import type { Adjustment, IntradayRow } from '../../market/api/quote.ts';
import { fetchSeries, type Series } from '../../market/api/series-rows.ts';
import { fetchJson, type Failure, type Outcome } from '../../market/api/service.ts';
import { serviceNow } from '../../market/health-watch.ts';
import type { IntradayCode } from '../../places/route.ts';

/** The sessions of a range, and the length of its bars, also as `intervalo` of the contract. */
export const intradayRanges: Readonly<
  Record<
    IntradayCode,
    { readonly sessions: number; readonly minutes: number; readonly interval: string }
  >
> = {
  '1d': { sessions: 1, minutes: 1, interval: '1m' },
  '5d': { sessions: 5, minutes: 15, interval: '15m' },
};

/** How series are requested. */
export type RequestOptions = NonNullable<Parameters<typeof fetchJson>[1]>;

/** Days that contain five sessions, also with a weekend and the longest holidays of a year. */
const spanDays = 14;
const dayMs = 86_400_000;

/** Requests at least the bars of a range. Without dates, the response is the last session. */
export async function fetchIntraday(
  ticker: string,
  range: IntradayCode,
  options: RequestOptions,
): Promise<Outcome<readonly IntradayRow[]>> {
  const { sessions, interval } = intradayRanges[range];
  const params = new URLSearchParams({ especie: ticker, intervalo: interval });
  const last = await fetchJson<readonly IntradayRow[]>(`/intradiarios?${params}`, options);
  const lastDay = last.ok ? last.value.at(-1)?.fecha : undefined;
  if (sessions === 1 || lastDay === undefined) return last;
  params.set('desde', daysBefore(lastDay, spanDays));
  params.set('hasta', daysBefore(lastDay, -1));
  return fetchJson<readonly IntradayRow[]>(`/intradiarios?${params}`, options);
}

/** Requests the bars of all sessions between two days, both included. */
export function fetchBarsOfDays(
  ticker: string,
  { first, last }: { readonly first: string; readonly last: string },
  { range, ...options }: RequestOptions & { readonly range: IntradayCode },
): Promise<Outcome<readonly IntradayRow[]>> {
  const { interval } = intradayRanges[range];
  const days = { desde: first, hasta: last };
  const params = new URLSearchParams({ especie: ticker, intervalo: interval, ...days });
  return fetchJson<readonly IntradayRow[]>(`/intradiarios?${params}`, options);
}

function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * dayMs).toISOString().slice(0, 10);
}

/** Requests the closes from a day on, with their ranges. A session may have tomorrow's date. */
export function fetchCloses(
  ticker: string,
  { from, adjustment }: { readonly from: string; readonly adjustment: Adjustment },
  options: RequestOptions,
): Promise<Outcome<Series>> {
  const params = new URLSearchParams({
    especie: ticker,
    desde: from,
    hasta: new Date(serviceNow() + dayMs).toISOString().slice(0, 10),
    ajuste: adjustment,
    campos: 'apertura,maximo,minimo',
  });
  return fetchSeries(params, options);
}

/**
 * The text for a failed request. Undefined for an invalid key, which the whole page reports.
 */
export function failureText(failure: Failure): string | undefined {
  if (failure.kind === 'unreachable') return 'El servicio no responde.';
  if (failure.status !== 401) return failure.message;
  noteRefusedKey();
  return undefined;
}
