import { panelCodes } from '../../../domain/instruments/panel.ts';
import type { PanelCode } from '../../../domain/instruments/panel.ts';
import { extrasOf } from '../../../domain/quotes/quote-extra.ts';
import type { QuoteExtras } from '../../../domain/quotes/quote-extra.ts';
import type { RankBy, Ranking, RankOrder } from '../../../domain/quotes/rank-quotes.ts';
import type { Parsed } from '../../../domain/values/problem.ts';
import { extraNames, plainNames } from '../../texts/quote-names.ts';
import { parseChoice } from '../choice-param.ts';
import { parseFields } from '../fields-param.ts';
import { parseInteger } from '../integer-param.ts';
import { parsePanel } from '../panel-param.ts';
import { readQuery } from '../query-text.ts';

/** The values of `por`, the names of the fields of a quote. */
const criteria = {
  [plainNames.change]: 'change',
  [plainNames.monthToDatePct]: 'monthToDatePct',
  [plainNames.yearToDatePct]: 'yearToDatePct',
  [plainNames.volume]: 'volume',
  [extraNames.amount]: 'amount',
} as const satisfies Readonly<Record<string, RankBy>>;

const criterionNames = Object.keys(criteria) as readonly (keyof typeof criteria)[];

const orders = { desc: 'descending', asc: 'ascending' } as const satisfies Record<
  string,
  RankOrder
>;
const orderNames = Object.keys(orders) as readonly (keyof typeof orders)[];

/** The bounds of the number of quotes, and the number where none is sent. */
const limits = { min: 1, max: 50 };
const limitByDefault = 10;

/** A request of `/ranking`. */
export interface RankingQuery extends Ranking {
  readonly panel: PanelCode;
  /** The fields on request. */
  readonly extras: QuoteExtras;
}

/** The parameters of `/ranking`. */
export const rankingParameters = ['panel', 'por', 'orden', 'limite', 'campos'] as const;

/** Parses the query of `/ranking` (contract 4.16). */
export function parseRankingParams(rawQuery: string): Parsed<RankingQuery> {
  const query = readQuery(rawQuery, rankingParameters);
  if (!query.ok) return query;
  const panel = parsePanel(query.value.panel);
  if (!panel.ok) return panel;
  if (panel.value === undefined) {
    return { ok: false, problem: { type: 'panel-missing', path: '/ranking', valid: panelCodes } };
  }
  const criterion = parseChoice('por', query.value.por, criterionNames);
  if (!criterion.ok) return criterion;
  const order = parseChoice('orden', query.value.orden, orderNames);
  if (!order.ok) return order;
  const limit = parseInteger('limite', query.value.limite, limits);
  if (!limit.ok) return limit;
  const fields = parseFields(query.value.campos, extraNames);
  if (!fields.ok) return fields;
  return {
    ok: true,
    value: {
      panel: panel.value,
      by: criteria[criterion.value ?? 'variacion'],
      order: orders[order.value ?? 'desc'],
      limit: limit.value ?? limitByDefault,
      extras: extrasOf(fields.value),
    },
  };
}
