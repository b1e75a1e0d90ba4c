import type { Parsed } from '../../../domain/values/problem.ts';
import { parseFields } from '../fields-param.ts';
import { parseOptional, readQuery } from '../query-text.ts';

/** The public names of the fields of a market that clients get on request (contract 4.6.5). */
export const marketFieldNames = {
  weekdays: 'dias',
  hours: 'horarios',
  earlyCloses: 'cierresAnticipados',
  settlement: 'liquidacion',
} as const;

/** A field of a market that clients get on request. */
export type MarketField = keyof typeof marketFieldNames;

const marketFields = Object.keys(marketFieldNames) as readonly MarketField[];

/** What a request for markets asks for. */
export interface MarketQuery {
  /** Of the holidays and of the days without settlement: four digits, `todos` for those of all years, undefined for the current one. */
  readonly year: string | undefined;
  /** In the order of a row. */
  readonly fields: readonly MarketField[];
}

/** The value of `anio` for the holidays of all years (contract 4.6.2). */
export const allYears = 'todos';

const yearShape = /^(?!0000)\d{4}$/;

/** The parameters of `/mercados`. */
export const marketParameters = ['anio', 'campos'] as const;

/** Parses the query of `/mercados`: the year of the holidays, and further fields (contract 4.6). */
export function parseMarketParams(rawQuery: string): Parsed<MarketQuery> {
  const parameter = 'anio';
  const query = readQuery(rawQuery, marketParameters);
  if (!query.ok) return query;
  const year = parseOptional(parameter, query.value.anio, (value) =>
    value === allYears || yearShape.test(value)
      ? { ok: true, value }
      : { ok: false, problem: { type: 'year-malformed', parameter, value } },
  );
  if (!year.ok) return year;
  const requested = parseFields(query.value.campos, marketFieldNames);
  if (!requested.ok) return requested;
  const fields = marketFields.filter((field) => requested.value.includes(field));
  return { ok: true, value: { year: year.value, fields } };
}
