import type { Market, SessionHours } from '../../domain/calendar/market.ts';
import { parsePlainDate, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { OriginRow } from './map-instruments.ts';

const everyDay = [1, 2, 3, 4, 5, 6, 7];

/**
 * The rows of `/mercados` as markets. Several rows of one market, of different years, are one market. A
 * market whose weekdays are not known is open every day: a session too many loses no price, and a missing
 * one does. One whose hours are not known has those of its current session.
 *
 * @returns undefined for rows that no Pizarra sends.
 */
export function mapMarkets(rows: readonly OriginRow[]): readonly Market[] | undefined {
  const markets = new Map<string, Market>();
  for (const row of rows) {
    const market = mapMarket(row);
    if (market === undefined) return undefined;
    const known = markets.get(market.code);
    const holidays = new Map([...(known?.holidays ?? []), ...market.holidays]);
    const unsettled = new Set([...(known?.unsettled ?? []), ...market.unsettled]);
    markets.set(market.code, { ...(known ?? market), holidays, unsettled });
  }
  return markets.size === 0 ? undefined : [...markets.values()];
}

function mapMarket(row: OriginRow): Market | undefined {
  const { mercado, nombre, zona, abre, cierra, feriados, dias, horarios, cierresAnticipados } = row;
  const { sinLiquidacion = [] } = row;
  if (typeof mercado !== 'string' || typeof nombre !== 'string' || typeof zona !== 'string') {
    return undefined;
  }
  const days = typeof dias === 'string' ? dias.split(' ').map(Number) : everyDay;
  const current = `${String(abre)}-${String(cierra)}`;
  const hours = hoursIn(typeof horarios === 'string' ? horarios : current);
  const closes = earlyClosesIn(typeof cierresAnticipados === 'string' ? cierresAnticipados : '');
  const holidays = holidaysIn(feriados);
  const unsettled = unsettledIn(sinLiquidacion);
  if (hours === undefined || closes === undefined) return undefined;
  if (holidays === undefined || unsettled === undefined) return undefined;
  if (!days.every((day) => everyDay.includes(day))) return undefined;
  return {
    code: mercado,
    name: nombre,
    timeZone: zona,
    weekdays: new Set(days),
    hours,
    holidays,
    unsettled,
    earlyCloses: closes,
  };
}

/** `11:00-17:00;2025-07-28=10:30-17:00` (contract 4.6.5). */
function hoursIn(text: string): readonly SessionHours[] | undefined {
  const hours: SessionHours[] = [];
  for (const part of text.split(';')) {
    const [span = '', date] = part.split('=').toReversed();
    const [openMinute, closeMinute] = span.split('-').map(minuteIn);
    const since = date === undefined ? undefined : parsePlainDate(date);
    if (openMinute === undefined || closeMinute === undefined) return undefined;
    if (date !== undefined && since === undefined) return undefined;
    hours.push({ ...(since !== undefined && { since }), openMinute, closeMinute });
  }
  return hours;
}

/** `2026-12-24=13:00;2026-12-31=13:00`. */
function earlyClosesIn(text: string): ReadonlyMap<PlainDate, number> | undefined {
  const closes = new Map<PlainDate, number>();
  for (const part of text === '' ? [] : text.split(';')) {
    const [day = '', time = ''] = part.split('=');
    const [date, minute] = [parsePlainDate(day), minuteIn(time)];
    if (date === undefined || minute === undefined) return undefined;
    closes.set(date, minute);
  }
  return closes;
}

function holidaysIn(value: unknown): ReadonlyMap<PlainDate, string> | undefined {
  if (!Array.isArray(value)) return undefined;
  const holidays = new Map<PlainDate, string>();
  for (const one of value as readonly unknown[]) {
    const { fecha, nombre } = (one ?? {}) as {
      readonly fecha?: unknown;
      readonly nombre?: unknown;
    };
    const date = typeof fecha === 'string' ? parsePlainDate(fecha) : undefined;
    if (date === undefined || typeof nombre !== 'string' || nombre === '') return undefined;
    holidays.set(date, nombre);
  }
  return holidays;
}

/** An array of dates. */
function unsettledIn(value: unknown): ReadonlySet<PlainDate> | undefined {
  if (!Array.isArray(value)) return undefined;
  const dates = (value as readonly unknown[]).map((one) =>
    typeof one === 'string' ? parsePlainDate(one) : undefined,
  );
  return dates.every((date) => date !== undefined) ? new Set(dates) : undefined;
}

/** `HH:MM` as minutes since midnight; `24:00` is the end of the day. */
function minuteIn(text: string): number | undefined {
  const [, hours, minutes] = /^(\d\d):([0-5]\d)$/.exec(text) ?? [];
  const minute = Number(hours) * 60 + Number(minutes);
  return minute <= 1_440 ? minute : undefined;
}
