import { dolares as operation, dollarTable } from '../../contract/paths/dolares.ts';
import { extrasOf } from '../../domain/quotes/quote-extra.ts';
import { answers, type Answering, type AnsweringRoute } from '../answers/answers.ts';
import type { PathParts } from './path-parts.ts';

/** The dollars (contract 4.12), computed at the first request after a change of any quote. */
export function dolares(
  { board, dollars }: Pick<PathParts, 'board' | 'dollars'>,
  answering: Answering,
): AnsweringRoute {
  const latest = board.latestFor(extrasOf(['bid', 'ask']));
  return answers(
    operation,
    (filter) => ({
      madeOf: () => [latest.revision],
      answer: () => {
        const rows = dollars.select(filter, (instrument) => latest.quote(instrument));
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
