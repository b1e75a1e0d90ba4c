import { allYears, marketTable, mercados as operation } from '../../contract/paths/mercados.ts';
import { marketScheduleAt } from '../../domain/calendar/market-schedule.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import { answers, type Answering, type AnsweringRoute } from '../answers/answers.ts';
import type { PathParts } from './path-parts.ts';

/** The markets with their state, hours and holidays (contract 4.6). */
export function mercados(
  { universe }: Pick<PathParts, 'universe'>,
  answering: Answering,
): AnsweringRoute {
  const { clock } = answering.memory;
  const calendars = [...new MarketCalendars(universe).byMarket.values()];
  return answers(
    operation,
    ({ year, fields }) => {
      const shown = year === allYears ? '' : year;
      let rows = rowsAt(clock.now());
      function rowsAt(now: number) {
        const listed = calendars.map((calendar) => ({
          schedule: marketScheduleAt(calendar, now, shown),
          market: calendar.market,
        }));
        const validUntil = Math.min(...listed.map(({ schedule }) => schedule.validUntil));
        return { listed, validFrom: now, validUntil };
      }
      return {
        // The rows change with the state of a market and with the year, and when the clock is set back.
        madeOf: () => {
          const now = clock.now();
          if (now < rows.validFrom || now >= rows.validUntil) rows = rowsAt(now);
          return [rows];
        },
        answer: () => ({ rows: marketTable.with(fields).of(rows.listed) }),
      };
    },
    answering,
  );
}
