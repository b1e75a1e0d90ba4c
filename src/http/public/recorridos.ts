import { pathJson, pricesJson, recorridos as operation } from '../../contract/paths/recorridos.ts';
import { wholeText } from '../../contract/table.ts';
import { toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Bar } from '../../domain/quotes/minute-bar.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import {
  lastPrices,
  stepAt,
  stepsOf,
  type SessionSteps,
} from '../../domain/quotes/session-steps.ts';
import {
  answers,
  type RowsOrProblem,
  type Answering,
  type AnsweringRoute,
} from '../answers/answers.ts';
import type { PathParts } from './path-parts.ts';

/** Which steps of a session are finished. */
interface Place {
  readonly revision: number;
  readonly session: PlainDate;
  readonly steps: SessionSteps;
  /** The number of the step under way. Undefined where the quote has no minute under way. */
  readonly step: number | undefined;
}

/** The finished steps of a session. They do not change until a later step has a price. */
interface Finished extends Place {
  /** The prices of the steps before it, as JSON. */
  readonly prices: string;
}

/**
 * The paths of the sessions of a selection (contract 4.13). The quote has the price of the step under way. The store is
 * read when a path is first requested, and again when a later step has begun since, one instrument in each slice. All
 * responses share the finished steps of an instrument.
 */
export function recorridos(
  { board, bars, revisions }: Pick<PathParts, 'board' | 'bars' | 'revisions'>,
  answering: Answering,
): AnsweringRoute {
  const calendars = new MarketCalendars(board.universe);
  const latest = new Map<Instrument, Finished>();

  const placeOf = (quote: Quote): Place => {
    const { instrument, sessionDate: session } = quote;
    const before = latest.get(instrument);
    const steps =
      before?.session === session ? before.steps : stepsOf(calendars.of(instrument), session);
    const bar = underWay(quote);
    const step = bar === undefined ? undefined : stepAt(steps, bar.minute);
    return { revision: revisions.of(instrument.ticker), session, steps, step };
  };

  const finishedBefore = (quote: Quote): Finished | undefined => {
    const known = latest.get(quote.instrument);
    if (known === undefined) return undefined;
    const { revision, session, step } = placeOf(quote);
    const isSame = known.revision === revision && known.session === session && known.step === step;
    return isSame ? known : undefined;
  };

  const read = async (quote: Quote): Promise<Finished> => {
    const { instrument } = quote;
    const before = latest.get(instrument);
    const place = placeOf(quote);
    const { revision, session, steps, step } = place;
    // The steps that are known already are not read again.
    const isLater =
      before?.revision === revision &&
      before.session === session &&
      (before.step ?? Infinity) < (step ?? Infinity);
    const first = isLater ? (before.step ?? 0) : 0;
    const day = toEpochDay(session);
    const sinceMinute = first === 0 ? -Infinity : steps.openMinute + first * steps.length;
    const stored = await bars.readBars(instrument.ticker, { from: day, to: day, sinceMinute });
    // The quote has the price of the step under way, and the store may be ahead of it.
    const finished = stored.filter(({ minute }) => stepAt(steps, minute) < (step ?? steps.count));
    const prices = [...lastPrices(finished, steps)];
    while (prices.length < (step ?? 0)) prices.push(null);
    const texts = [
      first === 0 ? '' : (before?.prices ?? ''),
      pricesJson(instrument, prices.slice(first)),
    ];
    const result = { ...place, prices: texts.filter((text) => text !== '').join(',') };
    latest.set(instrument, result);
    return result;
  };

  const textOf = (quote: Quote, finished: Finished): string =>
    pathJson(quote.instrument, { ...finished, last: underWay(quote)?.last });

  return answers(
    operation,
    ({ selection }) => {
      const view = board.select(selection);
      const answerOf = (texts: readonly string[]): RowsOrProblem => ({
        rows: wholeText(() => `[${texts.join(',')}]`),
        missing: { 'missing-especies': view.missing },
        isRange: false,
      });
      return {
        madeOf: () => [view.quotes, revisions.last],
        answer: () => {
          const { quotes } = view;
          const known = quotes.flatMap((quote) => {
            const finished = finishedBefore(quote);
            return finished === undefined ? [] : [textOf(quote, finished)];
          });
          if (known.length === quotes.length) return answerOf(known);
          return {
            async *read() {
              const texts: string[] = [];
              for (const quote of quotes) {
                const finished = finishedBefore(quote);
                if (finished === undefined) yield;
                texts.push(textOf(quote, finished ?? (await read(quote))));
              }
              return answerOf(texts);
            },
          };
        },
      };
    },
    answering,
  );
}

/** The minute under way in the session of a quote. */
function underWay({ sessionDate, bar }: Quote): Bar | undefined {
  return bar?.day === toEpochDay(sessionDate) ? bar : undefined;
}
