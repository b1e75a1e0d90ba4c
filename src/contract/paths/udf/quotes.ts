import type { Instrument } from '../../../domain/instruments/instrument.ts';
import type { Quote } from '../../../domain/quotes/quote.ts';
import { refused } from '../../../domain/values/problem.ts';
import { roundHalfAwayFromZero } from '../../../domain/values/rounding.ts';
import { formatExactNumber } from '../../../lib/numbers/exact-number.ts';
import { formatValue } from '../../../wire/texts/number.ts';
import { operation } from '../../operation.ts';
import { refined, type Part } from '../../part.ts';
import { required } from '../../parts.ts';
import { clause, text } from './parts.ts';

const sentList = required(
  'symbols',
  text(
    'symbols',
    'Especies separadas por comas. Se admiten como máximo {tickersPerRequestMax} por pedido.',
  ),
);

/** The response has an entry for each part of the list, so an empty part stays. */
const names: Part<readonly string[]> = refined(sentList, (sent, { tickersMax: max }) => {
  const list = sent.split(',');
  if (list.length <= max) return { ok: true, value: list };
  const { length: count } = list;
  return refused({ type: 'tickers-too-many', parameter: 'symbols', count, max });
});

/** The latest quotes of symbols (contract 4.15.9). */
export const quotes = operation({ path: '/udf/quotes', clause, params: { symbols: names } });

/** A symbol of a request, as it was sent, and what it names. */
export interface RequestedSymbol {
  readonly name: string;
  /** Undefined for an unknown one. */
  readonly instrument: Instrument | undefined;
  /** Undefined for an instrument without one. */
  readonly quote: Quote | undefined;
}

/** The body of `/udf/quotes` (contract 4.15.9): one entry for each symbol, in the order of the request. */
export function quotesJson(symbols: readonly RequestedSymbol[]): string {
  return `{"s":"ok","d":[${symbols.map(entryJson).join(',')}]}`;
}

function entryJson({ name, instrument, quote }: RequestedSymbol): string {
  const n = JSON.stringify(name);
  if (instrument === undefined) return `{"s":"error","n":${n},"v":{}}`;
  const members = valuesOf(instrument, quote).flatMap(([member, value]) =>
    value === undefined ? [] : [`"${member}":${value}`],
  );
  return `{"s":"ok","n":${n},"v":{${members.join(',')}}}`;
}

type Values = readonly (readonly [member: string, text: string | undefined])[];

function valuesOf(instrument: Instrument, quote: Quote | undefined): Values {
  const { ticker, market, name } = instrument;
  const price = (value: number | undefined): string | undefined =>
    value === undefined ? undefined : formatValue(value, instrument);
  const last = price(quote?.last);
  const previous = price(quote?.previousClose);
  const bid = price(quote?.book?.bid);
  const ask = price(quote?.book?.ask);
  const change = quote?.change ?? null;
  const isPercent = change?.unit === 'percent';
  return [
    ['lp', last],
    ['ch', change === null ? undefined : difference(previous, last)],
    ['chp', isPercent ? formatExactNumber(change.value) : undefined],
    ['short_name', JSON.stringify(ticker)],
    ['exchange', JSON.stringify(market)],
    ['description', JSON.stringify(name)],
    ['open_price', price(quote?.open)],
    ['high_price', price(quote?.high)],
    ['low_price', price(quote?.low)],
    ['prev_close_price', previous],
    ['volume', typeof quote?.volume === 'number' ? formatExactNumber(quote.volume) : undefined],
    ['bid', bid],
    ['ask', ask],
    ['spread', difference(bid, ask)],
  ];
}

/** The maximum number of decimals to which a number can be rounded. */
const decimalsMax = 15;

/** What `to` is above `from`: the difference of the decimals, without the binary error. */
function difference(from: string | undefined, to: string | undefined): string | undefined {
  if (from === undefined || to === undefined) return undefined;
  const decimals = Math.max(decimalsIn(from), decimalsIn(to));
  const value = Number(to) - Number(from);
  return formatExactNumber(roundHalfAwayFromZero(value, Math.min(decimals, decimalsMax)));
}

function decimalsIn(number: string): number {
  const point = number.indexOf('.');
  return point === -1 ? 0 : number.length - point - 1;
}
