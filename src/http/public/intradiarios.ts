import { intradiarios as operation } from '../../contract/paths/intradiarios.ts';
import { barTable } from '../../contract/rows/bar.ts';
import { firstEpochDay } from '../../domain/calendar/plain-date.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import { barsOf, startOfBar } from '../../domain/quotes/bar-interval.ts';
import type { Bar } from '../../domain/quotes/minute-bar.ts';
import type { DayRange } from '../../store/contract/history-store.ts';
import type { TableFormat } from '../../contract/table-format.ts';
import {
  answers,
  whenRead,
  type RowsOrProblem,
  type Answering,
  type AnsweringRoute,
} from '../answers/answers.ts';
import type { PathParts } from './path-parts.ts';

/** The finished bars of a response, rendered, and the minutes of the bar that further prices change. */
interface Finished {
  readonly range: DayRange;
  readonly rows: Buffer;
  /** The finished minutes of the bar under way. */
  readonly minutes: readonly Bar[];
}

/** The memory of a minute, in bytes, as an estimate. */
const bytesPerMinute = 160;

/**
 * The bars of the last sessions of one instrument (contract 4.9). The quote has the minute under way. The store is read
 * at the first request, and again when a minute has been finished since. In between, only the bar under way is rendered.
 */
export function intradiarios(
  {
    board,
    bars,
    revisions,
    instants,
  }: Pick<PathParts, 'board' | 'bars' | 'revisions' | 'instants'>,
  answering: Answering,
): AnsweringRoute {
  const calendars = new MarketCalendars(board.universe);
  const tables = barTable(instants);
  return answers(
    operation,
    ({ ticker: name, days: { from, to }, interval, fields }) => {
      const table = tables.with(fields);
      const instrument = board.universe.find(name);
      if (instrument === undefined) {
        const unknown = { rows: table.of([]), missing: { 'missing-especies': [name] } };
        return { madeOf: () => [], answer: () => unknown };
      }
      const { ticker } = instrument;
      const calendar = calendars.of(instrument);
      const underWay = (): Bar | undefined => board.quote(instrument)?.bar;
      /** Whether the range is over: its bars are all finished. */
      const isOver = (bar: Bar | undefined): boolean =>
        bar !== undefined && to !== undefined && bar.day > to;

      const textsOf = (minutes: readonly Bar[], format: TableFormat): Buffer => {
        const rows = barsOf(minutes, interval, calendar).map((bar) => ({ instrument, bar }));
        return table.texts(rows, rows.length, format).between(0, rows.length);
      };

      const read = async (bar: Bar | undefined, format: TableFormat): Promise<Finished> => {
        // Without any bar, each range is without bars.
        const lastDay = bar?.day ?? (await bars.latestBarDay(ticker)) ?? firstEpochDay;
        const days = { from: from ?? lastDay, to: to ?? lastDay };
        const stored = await bars.readBars(ticker, days);
        // The quote has the minute under way, and the store may be ahead of it.
        const finished =
          bar === undefined ? stored : stored.filter(({ minute }) => minute < bar.minute);
        const start =
          bar === undefined || !isWithin(bar, days)
            ? Infinity
            : startOfBar(bar, interval, calendar);
        return {
          range: days,
          rows: textsOf(
            finished.filter(({ minute }) => minute < start),
            format,
          ),
          minutes: finished.filter(({ minute }) => minute >= start),
        };
      };

      const answerOf = (
        finished: Finished,
        bar: Bar | undefined,
        format: TableFormat,
      ): RowsOrProblem => {
        const isShown = bar !== undefined && isWithin(bar, finished.range);
        const last = textsOf(isShown ? [...finished.minutes, bar] : [], format);
        return { rows: table.ofTexts([finished.rows, last]), isRange: false };
      };

      return {
        madeOf: () => {
          const bar = underWay();
          return [revisions.of(ticker), isOver(bar) ? 'over' : bar];
        },
        answer: (format) => {
          const bar = underWay();
          const asked = [from, to, interval, format, ...fields].join(' ');
          const finished = answering.memory.share<Finished>(`bars ${asked} ${ticker}`, {
            madeOf: [revisions.of(ticker), ...(isOver(bar) ? ['over'] : [bar?.day, bar?.minute])],
            read: () => read(bar, format),
            bytesOf: ({ rows, minutes }) => rows.length + minutes.length * bytesPerMinute,
          });
          return whenRead(finished, (loaded) => answerOf(loaded, bar, format));
        },
      };
    },
    answering,
  );
}

function isWithin({ day }: Bar, { from, to }: DayRange): boolean {
  return day >= from && day <= to;
}
