import { dollars } from '../../../domain/dollars/dollar.ts';
import type { Dollar } from '../../../domain/dollars/dollar.ts';
import type { DollarFilter } from '../../../domain/dollars/dollar-rates.ts';
import { foldTicker } from '../../../domain/instruments/ticker.ts';
import type { Parsed } from '../../../domain/values/problem.ts';
import { parseChoice } from '../choice-param.ts';
import { parseOptional, readQuery } from '../query-text.ts';

/** The public names of the dollars (contract 4.12). */
export const dollarNames: Readonly<Record<Dollar, string>> = {
  retail: 'oficial',
  wholesale: 'mayorista',
  a3500: 'a3500',
  card: 'tarjeta',
  informal: 'blue',
  mep: 'mep',
  cable: 'ccl',
  'cable-over-mep': 'canje',
  crypto: 'cripto',
};

/** The parameters of `/dolares`. */
export const dollarParameters = ['dolar', 'base'] as const;

/** Parses the query of `/dolares` (contract 4.12). An empty `base` counts as missing. */
export function parseDollarParams(rawQuery: string): Parsed<DollarFilter> {
  const query = readQuery(rawQuery, dollarParameters);
  if (!query.ok) return query;
  const name = parseChoice('dolar', query.value.dolar, Object.values(dollarNames));
  if (!name.ok) return name;
  const base = parseOptional('base', query.value.base, (value) => ({ ok: true, value }));
  if (!base.ok) return base;
  const dollar = dollars.find((one) => dollarNames[one] === name.value);
  return { ok: true, value: { dollar, base: foldTicker(base.value ?? '') || undefined } };
}
