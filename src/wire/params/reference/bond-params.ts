import { conventionNames } from '../../../domain/bonds/conventions.ts';
import type { ConventionName } from '../../../domain/bonds/conventions.ts';
import type { SettlementTerm } from '../../../domain/calendar/business-days.ts';
import type { PlainDate } from '../../../domain/calendar/plain-date.ts';
import { conversionDollars } from '../../../domain/dollars/conversion-rates.ts';
import type { ConversionDollar } from '../../../domain/dollars/conversion-rates.ts';
import type { Selection } from '../../../domain/instruments/selection.ts';
import type { Parsed } from '../../../domain/values/problem.ts';
import { parseChoice } from '../choice-param.ts';
import { parseSelection } from '../quote-params.ts';
import { parseOptional, readQuery } from '../query-text.ts';
import { parseOpenRange } from '../range-params.ts';
import { dollarNames } from './dollar-params.ts';

/** The public names of the times of settlement (contract 4.10). */
const termNames: Readonly<Record<string, SettlementTerm>> = { '24hs': 'next-day', ci: 'same-day' };

/** The public names of the dollars by which prices are converted. */
export const conversionNames = conversionDollars.map((one) => dollarNames[one]);

/** What a request of `/bonos` asks for. */
export interface BondQuery {
  readonly selection: Selection;
  readonly convention: ConventionName;
  /** Undefined for that of the convention. */
  readonly term: SettlementTerm | undefined;
  readonly dollar: ConversionDollar;
  /** A price instead of the quote, in the form of the convention. */
  readonly price: number | undefined;
}

/** What a request of `/bonos/flujos` asks for. */
export interface FlowQuery {
  readonly ticker: string;
  /** Undefined for today. */
  readonly from: PlainDate | undefined;
  readonly term: SettlementTerm | undefined;
}

const priceShape = /^\d{1,12}(?:\.\d{1,12})?$/;

/** The parameters of `/bonos`. */
export const bondParameters = [
  'especie',
  'panel',
  'convencion',
  'plazo',
  'dolar',
  'precio',
] as const;

/**
 * Parses the query of `/bonos` (contract 4.10).
 *
 * @param tickersMax maximum number of tickers in one request.
 */
export function parseBondParams(rawQuery: string, tickersMax: number): Parsed<BondQuery> {
  const query = readQuery(rawQuery, bondParameters);
  if (!query.ok) return query;
  const { especie, panel, convencion, plazo, dolar, precio } = query.value;
  const selection = parseSelection(especie, panel, tickersMax);
  if (!selection.ok) return selection;
  const convention = parseChoice('convencion', convencion, conventionNames);
  if (!convention.ok) return convention;
  const term = parseTerm(plazo);
  if (!term.ok) return term;
  const dollar = parseChoice('dolar', dolar, conversionNames);
  if (!dollar.ok) return dollar;
  const price = parseOptional('precio', precio, parsePrice);
  if (!price.ok) return price;
  const { tickers, panel: code } = selection.value;
  if (price.value !== undefined && (tickers.length !== 1 || code !== undefined)) {
    return { ok: false, problem: { type: 'price-not-single' } };
  }
  return {
    ok: true,
    value: {
      selection: selection.value,
      convention: convention.value ?? 'pizarra',
      term: term.value,
      dollar: conversionDollars[conversionNames.indexOf(dollar.value ?? 'mep')] ?? 'mep',
      price: price.value,
    },
  };
}

/** The parameters of `/bonos/flujos`. */
export const flowParameters = ['especie', 'desde', 'plazo'] as const;

/** Parses the query of `/bonos/flujos` (contract 4.11). */
export function parseFlowParams(rawQuery: string): Parsed<FlowQuery> {
  const query = readQuery(rawQuery, flowParameters);
  if (!query.ok) return query;
  const range = parseOpenRange({ ...query.value, hasta: [] }, '/bonos/flujos');
  if (!range.ok) return range;
  const term = parseTerm(query.value.plazo);
  if (!term.ok) return term;
  const { ticker, from } = range.value;
  return { ok: true, value: { ticker, from, term: term.value } };
}

function parseTerm(values: readonly string[]): Parsed<SettlementTerm | undefined> {
  const name = parseChoice('plazo', values, Object.keys(termNames));
  if (!name.ok) return name;
  return { ok: true, value: name.value === undefined ? undefined : termNames[name.value] };
}

function parsePrice(text: string): Parsed<number> {
  const price = priceShape.test(text) ? Number(text) : 0;
  if (price > 0) return { ok: true, value: price };
  return { ok: false, problem: { type: 'price-malformed', value: text } };
}
