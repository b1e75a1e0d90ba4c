import type { PanelCode } from '../domain/panel.ts';
import type { Parsed } from '../domain/problem.ts';
import type { Selection } from '../domain/selection.ts';
import { foldTicker } from '../domain/ticker.ts';
import { parsePanel } from './panel-param.ts';
import { readQuery } from './query-text.ts';

/**
 * Parses the query of `/cotizaciones` (contract 4.1.1 to 4.1.3 and 4.1.6).
 *
 * @param tickersMax maximum number of tickers in one request. Empty entries do not count.
 */
export function parseQuoteParams(rawQuery: string, tickersMax: number): Parsed<Selection> {
  const query = readQuery(rawQuery, ['especie', 'panel']);
  if (!query.ok) return query;
  const panel = parsePanel(query.value.panel);
  if (!panel.ok) return panel;
  const tickers = query.value.especie
    .flatMap((list) => list.split(','))
    .map(foldTicker)
    .filter((ticker) => ticker !== '');
  if (tickers.length > tickersMax) {
    const problem = { type: 'tickers-too-many', count: tickers.length, max: tickersMax } as const;
    return { ok: false, problem };
  }
  return selectionOf(tickers, panel.value);
}

function selectionOf(tickers: readonly string[], panel: PanelCode | undefined): Parsed<Selection> {
  if (panel !== undefined) return { ok: true, value: { tickers, panel } };
  if (tickers.length > 0) return { ok: true, value: { tickers } };
  return { ok: false, problem: { type: 'selection-missing' } };
}
