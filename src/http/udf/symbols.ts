import type { Board } from '../../board/board.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { symbolJson, unknownSymbolJson } from '../../wire/udf/symbol-body.ts';
import { tickerIn } from '../../wire/udf/udf-names.ts';
import { symbolParameters, parseSymbol } from '../../wire/udf/udf-params.ts';
import type { ContentSource } from '../content/content.ts';
import { jsonContent } from './json-content.ts';
import { KeptTexts } from './kept-texts.ts';

const unknown = jsonContent(unknownSymbolJson);

/** An instrument as a symbol of the charting library (contract 4.15.4). */
export function symbols({
  board,
  clock,
}: {
  readonly board: Board;
  readonly clock: Clock;
}): ContentSource {
  const { universe } = board;
  const calendars = new MarketCalendars(universe);
  const kept = new KeptTexts();
  return {
    path: '/udf/symbols',
    parameters: symbolParameters,
    clear: () => kept.clear(),
    find: (rawQuery) => {
      const symbol = parseSymbol(rawQuery);
      if (!symbol.ok) return symbol;
      const instrument = universe.find(tickerIn(symbol.value));
      if (instrument === undefined) return unknown;
      const calendar = calendars.of(instrument);
      const text = symbolJson(instrument, {
        calendar,
        today: calendar.dateAt(clock.now()),
        delayMinutes: board.quote(instrument)?.source?.delayMinutes,
      });
      return kept.contentOf(instrument.ticker, text);
    },
  };
}
