import { ranking as operation } from '../../contract/paths/ranking.ts';
import { quoteTable } from '../../contract/rows/quote.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import { extrasOf } from '../../domain/quotes/quote-extra.ts';
import { rankQuotes } from '../../domain/quotes/rank-quotes.ts';
import { answers, type Answering, type AnsweringRoute } from '../answers/answers.ts';
import type { PathParts } from './path-parts.ts';

/** The first quotes of a panel by one of their values (contract 4.16), from memory. */
export function ranking(
  { board, instants }: Pick<PathParts, 'board' | 'instants'>,
  answering: Answering,
): AnsweringRoute {
  const calendars = new MarketCalendars(board.universe);
  const { clock } = answering.memory;
  const table = quoteTable(instants);
  return answers(
    operation,
    (query) => {
      const { panel, by, extras } = query;
      const members = board.universe.listOf(panel);
      // The amount is one of the fields that are not part of the plain quote.
      const view = board.view(members, by === 'amount' ? extrasOf([...extras, by]) : extras);
      const markets = [...new Set(members.map((one) => calendars.of(one)))];
      return {
        // When a market opens, the quotes of its last session leave.
        madeOf: () => [view.quotes, ...markets.map((market) => market.sessionAt(clock.now()))],
        answer: () => {
          const now = clock.now();
          const current = view.quotes.filter(
            ({ instrument, sessionDate }) =>
              calendars.of(instrument).sessionAt(now) === sessionDate,
          );
          return { rows: table.with(extras).of(rankQuotes(current, query)) };
        },
      };
    },
    answering,
  );
}
