import type { IntradayRow } from '../../market/api/quote.ts';
import { fetchJson, type Outcome } from '../../market/api/service.ts';
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

/** How bars are requested. */
export type IntradayOptions = NonNullable<Parameters<typeof fetchJson>[1]>;

/** Days that contain five sessions, also with a weekend and the longest holidays of a year. */
const spanDays = 14;
const dayMs = 86_400_000;

/** Requests at least the bars of a range. Without dates, the response is the last session. */
export async function fetchIntraday(
  ticker: string,
  range: IntradayCode,
  options: IntradayOptions,
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
  { range, ...options }: IntradayOptions & { readonly range: IntradayCode },
): Promise<Outcome<readonly IntradayRow[]>> {
  const { interval } = intradayRanges[range];
  const days = { desde: first, hasta: last };
  const params = new URLSearchParams({ especie: ticker, intervalo: interval, ...days });
  return fetchJson<readonly IntradayRow[]>(`/intradiarios?${params}`, options);
}

function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * dayMs).toISOString().slice(0, 10);
}
