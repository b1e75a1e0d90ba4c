import type { CampoDeCotizacion, Evento } from '../../../clients/typescript/src/index.ts';
import { type EpochDay, type PlainDate, toEpochDay } from '../../domain/calendar/plain-date.ts';
import {
  type ActionType,
  type CorporateAction,
  isFactor,
} from '../../domain/history/corporate-action.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import type { DayValue } from '../../domain/indices/index-series.ts';
import { indexNames } from '../../domain/indices/index-name.ts';
import { isIndexValue } from '../../domain/indices/index-value.ts';
import { type Ticker, parseTicker } from '../../domain/instruments/ticker.ts';
import type { FollowedQuote } from '../../domain/quotes/followed-quote.ts';
import { type Bar, type TickerBar, msPerMinute } from '../../domain/quotes/minute-bar.ts';
import type { ShownChanges } from '../../domain/quotes/shown-changes.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { FeedFault, type Rejected, reject } from '../contract/feed.ts';
import {
  type JsonFields,
  asRecord,
  fieldsOf,
  isNone,
  dateIn,
  instantIn,
} from '../shapes/as-record.ts';
import { notPizarra } from './origin.ts';

/** The further fields of each quote that the stream is asked for: all that the contract has (contract 2.7). */
export const askedFields = Object.keys({
  compra: true,
  venta: true,
  cantCompra: true,
  cantVenta: true,
  monto: true,
  operaciones: true,
  fuente: true,
  instante: true,
} satisfies Readonly<Record<CampoDeCotizacion, true>>) as readonly CampoDeCotizacion[];

/** The numbers of a quote (contract 2.1 and 2.7) by their names in an update. */
const numberFields = {
  ultimo: 'last',
  apertura: 'open',
  maximo: 'high',
  minimo: 'low',
  volumen: 'volume',
  compra: 'bid',
  venta: 'ask',
  cantCompra: 'bidSize',
  cantVenta: 'askSize',
  monto: 'amount',
  operaciones: 'trades',
} as const satisfies Readonly<Record<string, keyof Update>>;

const numberEntries = Object.entries(numberFields);

/** The maximum length of the name of a source, in characters. Each quote keeps it. */
export const sourceCharsMax = 100;

/** An update with the quote that it shows whole. */
export type FollowedUpdate = Update & { readonly followed: FollowedQuote };

/** What the mapper must know of the universe here. */
export interface MapQuoteContext {
  /** When a session of an instrument opens, in epoch milliseconds. Undefined for an unknown instrument. */
  readonly opensAt: (ticker: Ticker, sessionDate: PlainDate) => number | undefined;
}

type Draft = { -readonly [Name in keyof Update]: Update[Name] };

/**
 * Maps the data of an event `cotizacion`: a whole quote. A quote without an instant, as after an import
 * there, gets the open of its session as the instant of the update, and says that it has none.
 */
export function mapQuote(data: unknown, { opensAt }: MapQuoteContext): FollowedUpdate | Rejected {
  const quote = asRecord(data);
  if (quote === undefined) return reject('unintelligible', data);
  const { especie, fecha, instante, fuente } = quote;
  if (typeof especie !== 'string') return reject('unintelligible', data);
  const ticker = especie as Ticker;
  const sessionDate = dateIn(fecha);
  if (sessionDate === undefined) return reject('bad-instant', data, especie);
  const hasInstant = !isNone(instante);
  const instant = instantIn(instante);
  const at = hasInstant ? instant : opensAt(ticker, sessionDate);
  if (at === undefined) return reject('bad-instant', data, especie);
  const changes = changesOf(quote);
  const update: Draft = { ticker, at };
  for (const [name, field] of numberEntries) {
    const value = numberOf(quote, name);
    if (value === null) continue;
    if (value === undefined) return reject('unintelligible', data, especie);
    update[field] = value;
  }
  if (changes === undefined) return reject('unintelligible', data, especie);
  if (update.last === undefined) return reject('no-price', data, especie);
  const source = typeof fuente === 'string' ? { name: fuente.slice(0, sourceCharsMax) } : {};
  return { ...update, followed: { sessionDate, hasInstant, changes, source } };
}

function changesOf(quote: JsonFields): ShownChanges | undefined {
  const previousClose = numberOf(quote, 'anterior');
  const change = numberOf(quote, 'variacion');
  const monthToDatePct = numberOf(quote, 'varMTD');
  const yearToDatePct = numberOf(quote, 'varYTD');
  if (previousClose === undefined || change === undefined) return undefined;
  if (monthToDatePct === undefined || yearToDatePct === undefined) return undefined;
  const compared = previousClose === null ? {} : { previousClose };
  return { ...compared, change, monthToDatePct, yearToDatePct };
}

/** A number, or null where the field is absent or null. Undefined for a value of another type. */
function numberOf(quote: JsonFields, name: string): number | null | undefined {
  const value = quote[name];
  if (isNone(value)) return null;
  return typeof value === 'number' ? value : undefined;
}

/**
 * Maps a body of `/historicos?forma=larga` with the opens, highs and lows (contract 2.2).
 *
 * @returns the closes of each ticker, as the origin spells it, oldest first.
 * @throws FeedFault `unintelligible` for rows that no Pizarra sends.
 */
export function mapHistoricos(
  body: readonly unknown[],
): ReadonlyMap<string, readonly DailyClose[]> {
  const closes = new Map<string, DailyClose[]>();
  for (const row of body.map(fieldsOf)) {
    const { especie, ultimo, volumen, apertura, maximo, minimo } = row;
    const day = dayOf(row);
    const isSound =
      typeof especie === 'string' &&
      typeof ultimo === 'number' &&
      isNumberOrNone(volumen) &&
      [apertura, maximo, minimo].every(isNumberOrNone);
    if (!isSound || day === undefined) throw wrongRow('/historicos', row);
    closes.getOrInsert(especie, []).push({
      day,
      close: ultimo,
      volume: typeof volumen === 'number' ? volumen : null,
      ...(typeof apertura === 'number' && { open: apertura }),
      ...(typeof maximo === 'number' && { high: maximo }),
      ...(typeof minimo === 'number' && { low: minimo }),
    });
  }
  return closes;
}

const currencyForm = /^[A-Z]{3}$/;

/** The value of `tipo` for each type of action (contract 2.8.1). */
const tipos: Readonly<Record<ActionType, Evento['tipo']>> = {
  split: 'split',
  'stock-dividend': 'dividendo-acciones',
  'cash-dividend': 'dividendo',
  'ratio-change': 'ratio',
  'rights-issue': 'suscripcion',
  'spin-off': 'escision',
  'ticker-change': 'cambio-ticker',
};

const actionTypes: ReadonlyMap<unknown, ActionType> = new Map(
  Object.entries(tipos).map(([type, tipo]) => [tipo, type as ActionType]),
);

/**
 * Maps a body of `/eventos` (contract 2.8).
 *
 * @param tickerOf gives the ticker of a spelling as it is written here
 * @throws FeedFault `unintelligible` for rows that no Pizarra sends.
 */
export function mapEventos(
  body: readonly unknown[],
  { source, tickerOf }: { readonly source: string; readonly tickerOf: (text: string) => Ticker },
): readonly CorporateAction[] {
  return body.map(fieldsOf).map((row): CorporateAction => {
    const { especie, tipo, factor, importe, moneda, detalle } = row;
    const [type, exDay] = [actionTypes.get(tipo), dayOf(row)];
    if (!isTicker(especie) || type === undefined || exDay === undefined) {
      throw wrongRow('/eventos', row);
    }
    const action = { ticker: tickerOf(especie), exDay, source };
    if (type === 'ticker-change' && typeof detalle === 'string' && isTicker(detalle)) {
      return { ...action, type, newTicker: tickerOf(detalle) };
    }
    if (type === 'cash-dividend' && typeof importe === 'number' && importe > 0) {
      if (typeof moneda === 'string' && currencyForm.test(moneda))
        return { ...action, type, amount: importe, currency: moneda };
    } else if (type !== 'ticker-change' && type !== 'cash-dividend') {
      if (typeof factor === 'number' && isFactor(factor)) return { ...action, type, factor };
    }
    throw wrongRow('/eventos', row);
  });
}

/**
 * Maps a body of `/indices` with the values of one index (contract 4.14.2).
 *
 * @throws FeedFault `unintelligible` for rows that no Pizarra sends.
 */
export function mapIndices(body: readonly unknown[]): readonly DayValue[] {
  return body.map(fieldsOf).map((row): DayValue => {
    const { indice, valor } = row;
    const [index, day] = [indexNames.find((one) => one === indice), dayOf(row)];
    const isSound = index !== undefined && typeof valor === 'number' && isIndexValue(index, valor);
    if (day === undefined || !isSound) {
      throw wrongRow('/indices', row);
    }
    return { day, value: valor };
  });
}

function isTicker(text: unknown): text is string {
  return typeof text === 'string' && parseTicker(text) !== undefined;
}

function dayOf({ fecha }: JsonFields): EpochDay | undefined {
  const date = dateIn(fecha);
  return date === undefined ? undefined : toEpochDay(date);
}

function isNumberOrNone(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'number';
}

function wrongRow(path: string, row: JsonFields): FeedFault {
  const sample = JSON.stringify(row).slice(0, 120);
  return new FeedFault('unintelligible', `${path} has a row that no Pizarra sends: ${sample}`);
}

/** Maps a row of `/intradiarios`, which is also the data of an event `barra` (contract 2.9), with `instante`. */
export function mapBar(row: unknown): TickerBar | Rejected {
  const { especie, fecha, instante, apertura, maximo, minimo, ultimo, volumen } = fieldsOf(row);
  if (typeof especie !== 'string') return reject('unintelligible', row);
  const date = dateIn(fecha);
  const at = instantIn(instante);
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

/** An instrument of the origin (contract 4.4.2). */
export interface OriginInstrument {
  readonly ticker: string;
  /** The name of the source in use there. Absent for none, and for a derived instrument. */
  readonly source?: string;
  /** The delay of that source, in minutes. Absent if it is not known. */
  readonly delayMinutes?: number;
}

/**
 * Maps the body of `/especies.json`.
 *
 * @throws FeedFault `unintelligible` for anything else, which no Pizarra sends.
 */
export function mapEspecies(rows: readonly unknown[]): readonly OriginInstrument[] {
  return rows.map((row) => {
    const { especie, fuente, demoraMinutos } = fieldsOf(row);
    if (typeof especie !== 'string') throw notPizarra('/especies.json');
    return {
      ticker: especie,
      ...(typeof fuente === 'string' ? { source: fuente.slice(0, sourceCharsMax) } : {}),
      ...(typeof demoraMinutos === 'number' ? { delayMinutes: demoraMinutos } : {}),
    };
  });
}
