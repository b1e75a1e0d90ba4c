import { bonos as operation, bondTable } from '../../contract/paths/bonos.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import { noExtras } from '../../domain/quotes/quote-extra.ts';
import { answers, type Answering, type AnsweringRoute } from '../answers/answers.ts';
import { BondRows } from '../bonds/bond-rows.ts';
import type { PathParts } from './path-parts.ts';

const msPerMinute = 60_000;

/** The yields, durations and parities of bonds (contract 4.10), computed when they are requested. */
export function bonos(
  parts: Pick<PathParts, 'board' | 'bonds' | 'rates' | 'indices'>,
  answering: Answering,
): AnsweringRoute {
  const { clock } = answering.memory;
  const { board, indices } = parts;
  const market = { ...parts, clock, calendars: new MarketCalendars(board.universe) };
  const latest = board.latestFor(noExtras);
  return answers(
    operation,
    (query) => {
      const bondRows = new BondRows(query, market);
      // A price of the client is of today.
      const minute = (): number =>
        query.price === undefined ? 0 : Math.floor(clock.now() / msPerMinute);
      return {
        madeOf: () => [latest.revision, indices(), minute()],
        answer: () => {
          const { rows, missing } = bondRows.current();
          return { rows: bondTable.of(rows), missing: missing.names() };
        },
      };
    },
    answering,
  );
}
