import { parsePlainDate, toEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { msPerMinute, type Bar, type TickerBar } from '../../domain/quotes/minute-bar.ts';
import type { Rejected } from '../contract/feed.ts';
import { reject } from '../contract/sample.ts';
import { asRecord } from '../shapes/as-record.ts';
import { parseRfc3339 } from '../../domain/calendar/rfc3339.ts';

/** Maps a row of `/intradiarios`, which is also the data of an event `barra` (contract 2.9), with `instante`. */
export function mapBar(row: unknown): TickerBar | Rejected {
  const { especie, fecha, instante, apertura, maximo, minimo, ultimo, volumen } =
    asRecord(row) ?? {};
  if (typeof especie !== 'string') return reject('unintelligible', row);
  const date = typeof fecha === 'string' ? parsePlainDate(fecha) : undefined;
  const at = typeof instante === 'string' ? parseRfc3339(instante) : undefined;
  if (date === undefined || at === undefined) return reject('bad-instant', row, especie);
  const isVolume = volumen === null || (typeof volumen === 'number' && volumen >= 0);
  const prices = [apertura, maximo, minimo, ultimo];
  if (!prices.every(isNumber) || !isVolume) return reject('unintelligible', row, especie);
  const [open, high, low, last] = prices as [number, number, number, number];
  const minute = Math.floor(at / msPerMinute);
  const bar: Bar = { day: toEpochDay(date), minute, open, high, low, last, volume: volumen };
  return { ticker: especie as Ticker, bar };
}

/** A rate or a spread may be zero or below. */
function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
