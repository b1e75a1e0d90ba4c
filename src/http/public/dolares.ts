import type { Board } from '../../board/board.ts';
import { dolares as operation, dollarTable } from '../../contract/paths/dolares.ts';
import type { Bonds } from '../../domain/bonds/bonds.ts';
import { DollarRates } from '../../domain/dollars/dollar-rates.ts';
import { extrasOf } from '../../domain/quotes/quote-extra.ts';
import { answers, type Answering } from '../answers/answers.ts';
import type { ContentSource } from '../content/content.ts';

/** The dollars (contract 4.12), computed at the first request after a change of any quote. */
export function dolares(
  { board, bonds }: { readonly board: Board; readonly bonds: Bonds },
  answering: Answering,
): ContentSource {
  const rates = new DollarRates(board.universe, bonds);
  const latest = board.latestFor(extrasOf(['bid', 'ask']));
  return answers(
    operation,
    (filter) => ({
      madeOf: () => [latest.revision],
      answer: () => {
        const rows = rates.select(filter, (instrument) => latest.quote(instrument));
        const isMissing = filter.base !== undefined && rows.length === 0;
        return {
          rows: dollarTable.of(rows),
          missing: { 'missing-especies': isMissing ? [filter.base] : [] },
        };
      },
    }),
    answering,
  );
}
