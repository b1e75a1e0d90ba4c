import type { PanelCode } from '../domain/panel.ts';
import type { Parsed } from '../domain/problem.ts';
import { parsePanel } from './panel-param.ts';
import { readQuery } from './query-text.ts';

/**
 * The panel whose list a query of `/especies.txt` asks for; undefined for the whole universe.
 *
 * Source: decisions row 16.
 */
export function parseListParams(rawQuery: string): Parsed<PanelCode | undefined> {
  const query = readQuery(rawQuery, ['panel']);
  return query.ok ? parsePanel(query.value.panel) : query;
}
