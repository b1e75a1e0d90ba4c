import type { PanelCode } from '../../domain/instruments/panel.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import { parsePanel } from './panel-param.ts';
import { readQuery } from './query-text.ts';

/** The parameters of `/especies.txt`. */
export const listParameters = ['panel'] as const;

/**
 * Parses the query of `/especies.txt`: a panel, or undefined for all instruments (contract 4.3.1).
 */
export function parseListParams(rawQuery: string): Parsed<PanelCode | undefined> {
  const query = readQuery(rawQuery, listParameters);
  return query.ok ? parsePanel(query.value.panel) : query;
}
