import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Update } from '../../domain/quotes/update.ts';
import type { Rejected } from '../contract/feed.ts';
import { reject } from '../contract/sample.ts';
import { asRecord, isNone, parseJson } from '../shapes/as-record.ts';
import { parseRfc3339 } from '../shapes/rfc3339.ts';

/** The further fields of each quote that the stream is asked for: all that the contract has. */
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

/** The fields of a quote (contract 2.1 and 2.7) that an update has, by their names there. */
const numberFields = {
  ultimo: 'last',
  anterior: 'previousClose',
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

type Numbers = { -readonly [Name in keyof Update]: Update[Name] };

/** Maps the data of an event `cotizacion`: a whole quote. */
export function mapQuote(data: string): Update | Rejected {
  const quote = asRecord(parseJson(data));
  if (quote === undefined) return reject('unintelligible', data);
  const { especie, instante } = quote;
  if (typeof especie !== 'string') return reject('unintelligible', data);
  const at = typeof instante === 'string' ? parseRfc3339(instante) : undefined;
  if (at === undefined) return reject('bad-instant', data, especie);
  const update: Numbers = { ticker: especie as Ticker, at };
  for (const [name, field] of Object.entries(numberFields)) {
    const value = quote[name];
    if (isNone(value)) continue;
    if (typeof value !== 'number') return reject('unintelligible', data, especie);
    update[field] = value;
  }
  return update.last === undefined ? reject('no-price', data, especie) : update;
}
