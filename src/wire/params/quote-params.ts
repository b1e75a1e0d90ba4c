import type { PanelCode } from '../../domain/instruments/panel.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import type { Selection } from '../../domain/instruments/selection.ts';
import { foldTicker } from '../../domain/instruments/ticker.ts';
import { parsePanel } from './panel-param.ts';

/** Parses the parameters that select instruments (contract 4.1.1 to 4.1.3 and 4.1.6). */
export function parseSelection(
  especie: readonly string[],
  panels: readonly string[],
  tickersMax: number,
): Parsed<Selection> {
  const panel = parsePanel(panels);
  if (!panel.ok) return panel;
  const tickers = especie
    .flatMap((list) => list.split(','))
    .map(foldTicker)
    .filter((ticker) => ticker !== '');
  if (tickers.length > tickersMax) {
    const problem = {
      type: 'tickers-too-many',
      parameter: 'especie',
      count: tickers.length,
      max: tickersMax,
    } as const;
    return { ok: false, problem };
  }
  return selectionOf(tickers, panel.value);
}

function selectionOf(tickers: readonly string[], panel: PanelCode | undefined): Parsed<Selection> {
  if (panel !== undefined) return { ok: true, value: { tickers, panel } };
  if (tickers.length > 0) return { ok: true, value: { tickers } };
  return { ok: false, problem: { type: 'selection-missing' } };
}
