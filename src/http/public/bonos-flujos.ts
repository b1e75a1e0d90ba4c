import { bonosFlujos as operation, flowTable } from '../../contract/paths/bonos-flujos.ts';
import { growthOf, valuesOf } from '../../domain/bonds/index-growth.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { settlementOf } from '../../domain/calendar/business-days.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import { answers, type Answering, type AnsweringRoute } from '../answers/answers.ts';
import { MissingInputs } from '../bonds/missing-inputs.ts';
import type { PathParts } from './path-parts.ts';

/** The payments of one bond (contract 4.11). */
export function bonosFlujos(
  { universe, bonds, indices }: Pick<PathParts, 'universe' | 'bonds' | 'indices'>,
  answering: Answering,
): AnsweringRoute {
  const { clock } = answering.memory;
  const calendars = new MarketCalendars(universe);
  return answers(
    operation,
    ({ ticker, from, term }) => {
      const unknown = new MissingInputs();
      const named = unknown.classOf(ticker, { universe, bonds });
      if (named === undefined) {
        const answer = { rows: flowTable.of([]), missing: unknown.names() };
        return { madeOf: () => [], answer: () => answer };
      }
      const { instrument, bond } = named;
      const todayOf = () => calendars.of(instrument).dateAt(clock.now());
      return {
        madeOf: () => [indices(), todayOf()],
        answer: () => {
          const missing = new MissingInputs();
          const today = todayOf();
          const first = from === undefined ? today : fromEpochDay(from);
          const settlement = settlementOf(bond.days, today, term ?? 'next-day');
          const { ratio, used } = growthOf(bond, settlement, valuesOf(indices()));
          missing.noteIndex(used);
          const flows = bond.flows.filter(({ date }) => date >= first);
          const rows = flows.map((flow) => ({ flow, ratio }));
          return { rows: flowTable.of(rows), missing: missing.names() };
        },
      };
    },
    answering,
  );
}
