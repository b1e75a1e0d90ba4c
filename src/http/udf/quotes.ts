import type { Board } from '../../board/board.ts';
import { extrasOf } from '../../domain/quotes/quote-extra.ts';
import { quotesJson } from '../../wire/udf/quotes-body.ts';
import { tickerIn } from '../../wire/udf/udf-names.ts';
import { symbolsParameters, parseSymbols } from '../../wire/udf/udf-params.ts';
import type { ContentSource } from '../content/content.ts';
import { KeptTexts } from './kept-texts.ts';

/** The latest quotes of symbols (contract 4.15.9). */
export function quotes({
  board,
  tickersMax,
}: {
  readonly board: Board;
  readonly tickersMax: number;
}): ContentSource {
  const latest = board.latestFor(extrasOf(['bid', 'ask']));
  const kept = new KeptTexts();
  return {
    path: '/udf/quotes',
    parameters: symbolsParameters,
    clear: () => kept.clear(),
    find: (rawQuery) => {
      const names = parseSymbols(rawQuery, tickersMax);
      if (!names.ok) return names;
      const requested = names.value.map((name) => {
        const instrument = board.universe.find(tickerIn(name));
        const quote = instrument === undefined ? undefined : latest.quote(instrument);
        return { name, instrument, quote };
      });
      return kept.contentOf(rawQuery, quotesJson(requested));
    },
  };
}
