import { parsePlainDate, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { FollowedQuote } from '../../domain/quotes/followed-quote.ts';
import type { ShownChanges } from '../../domain/quotes/shown-changes.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Update } from '../../domain/quotes/update.ts';
import type { Rejected } from '../contract/feed.ts';
import { reject } from '../contract/sample.ts';
import { asRecord, isNone, parseJson, type JsonFields } from '../shapes/as-record.ts';
import { parseRfc3339 } from '../../domain/calendar/rfc3339.ts';

/** The further fields of each quote that the stream is asked for: all that the contract has (contract 2.7). */
export const askedFields = [
  'compra',
  'venta',
  'cantCompra',
  'cantVenta',
  'monto',
  'operaciones',
  'fuente',
  'instante',
];

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
export function mapQuote(data: string, { opensAt }: MapQuoteContext): FollowedUpdate | Rejected {
  const quote = asRecord(parseJson(data));
  if (quote === undefined) return reject('unintelligible', data);
  const { especie, fecha, instante, fuente } = quote;
  if (typeof especie !== 'string') return reject('unintelligible', data);
  const ticker = especie as Ticker;
  const sessionDate = typeof fecha === 'string' ? parsePlainDate(fecha) : undefined;
  if (sessionDate === undefined) return reject('bad-instant', data, especie);
  const hasInstant = !isNone(instante);
  const instant = typeof instante === 'string' ? parseRfc3339(instante) : undefined;
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
