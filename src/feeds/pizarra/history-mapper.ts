import {
  isFactor,
  type ActionType,
  type CorporateAction,
} from '../../domain/history/corporate-action.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import { parsePlainDate, toEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import type { DayValue } from '../../domain/indices/index-series.ts';
import { isIndexValue } from '../../domain/indices/index-value.ts';
import { parseTicker, type Ticker } from '../../domain/instruments/ticker.ts';
import { FeedFault } from '../contract/feed.ts';
import { asRecord, type JsonFields } from '../shapes/as-record.ts';

/**
 * Maps a body of `/historicos?forma=larga` with the opens, highs and lows (contract 2.2).
 *
 * @returns the closes of each ticker, as the origin spells it, oldest first.
 * @throws FeedFault `unintelligible` for rows that no Pizarra sends.
 */
export function mapHistoricos(body: unknown): ReadonlyMap<string, readonly DailyClose[]> {
  const closes = new Map<string, DailyClose[]>();
  for (const row of rowsOf(body, '/historicos')) {
    const { especie, ultimo, volumen, apertura, maximo, minimo } = row;
    const day = dayOf(row);
    const isSound =
      typeof especie === 'string' &&
      typeof ultimo === 'number' &&
      isNumberOrNone(volumen) &&
      [apertura, maximo, minimo].every(isNumberOrNone);
    if (!isSound || day === undefined) throw wrongRow('/historicos', row);
    const own = closes.get(especie) ?? [];
    closes.set(especie, own);
    own.push({
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

/** The types of actions by the values of `tipo` (contract 2.8.1). */
const actionTypes: ReadonlyMap<unknown, ActionType> = new Map([
  ['split', 'split'],
  ['dividendo-acciones', 'stock-dividend'],
  ['dividendo', 'cash-dividend'],
  ['ratio', 'ratio-change'],
  ['cambio-ticker', 'ticker-change'],
]);

/**
 * Maps a body of `/eventos` (contract 2.8).
 *
 * @param tickerOf gives the ticker of a spelling as it is written here
 * @throws FeedFault `unintelligible` for rows that no Pizarra sends.
 */
export function mapEventos(
  body: unknown,
  { source, tickerOf }: { readonly source: string; readonly tickerOf: (text: string) => Ticker },
): readonly CorporateAction[] {
  return rowsOf(body, '/eventos').map((row): CorporateAction => {
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
export function mapIndices(body: unknown): readonly DayValue[] {
  return rowsOf(body, '/indices').map((row): DayValue => {
    const { valor } = row;
    const day = dayOf(row);
    if (day === undefined || typeof valor !== 'number' || !isIndexValue(valor)) {
      throw wrongRow('/indices', row);
    }
    return { day, value: valor };
  });
}

function isTicker(text: unknown): text is string {
  return typeof text === 'string' && parseTicker(text) !== undefined;
}

function rowsOf(body: unknown, path: string): readonly JsonFields[] {
  if (!Array.isArray(body)) {
    throw new FeedFault(
      'unintelligible',
      `${path} is not that of a Pizarra: url is the part before /cotizaciones`,
    );
  }
  return body.map((row: unknown) => asRecord(row) ?? {});
}

function dayOf({ fecha }: JsonFields): EpochDay | undefined {
  const date = typeof fecha === 'string' ? parsePlainDate(fecha) : undefined;
  return date === undefined ? undefined : toEpochDay(date);
}

function isNumberOrNone(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'number';
}

function wrongRow(path: string, row: JsonFields): FeedFault {
  const sample = JSON.stringify(row).slice(0, 120);
  return new FeedFault('unintelligible', `${path} has a row that no Pizarra sends: ${sample}`);
}
