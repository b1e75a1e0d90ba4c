import { cotizaciones as operation } from '../../contract/paths/cotizaciones.ts';
import { conversionFields } from '../../contract/paths/dolares.ts';
import { quoteTable } from '../../contract/rows/quote.ts';
import { firstEpochDay, lastEpochDay } from '../../domain/calendar/plain-date.ts';
import { tickerOfDollar } from '../../domain/dollars/dollar.ts';
import { emptySeries, type CloseSeries } from '../../domain/history/daily-close.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { convertQuote } from '../../domain/quotes/convert-quote.ts';
import {
  answers,
  whenRead,
  type RowsOrProblem,
  type Answering,
  type AnsweringRoute,
  type ResponseSource,
} from '../answers/answers.ts';
import type { PathParts } from './path-parts.ts';

/** The latest quotes of a selection (contract 4.1), from memory. Only a conversion reads the closes of a dollar. */
export function cotizaciones(
  {
    board,
    instants,
    history,
    revisions,
  }: Pick<PathParts, 'board' | 'instants' | 'history' | 'revisions'>,
  answering: Answering,
): AnsweringRoute {
  const table = quoteTable(instants);
  const revisionOf = ({ ticker }: Instrument): unknown => revisions.of(ticker);
  const closesOf = (instrument: Instrument): CloseSeries | Promise<CloseSeries> =>
    answering.memory.share(`closes ${instrument.ticker}`, {
      madeOf: [revisionOf(instrument)],
      read: () => history.readSeries(instrument.ticker, { from: firstEpochDay, to: lastEpochDay }),
      bytesOf: ({ days, closes, volumes }) =>
        days.byteLength + closes.byteLength + volumes.byteLength,
    });
  return answers(
    operation,
    ({ selection, extras, conversion }): ResponseSource => {
      const view = board.select(selection, extras);
      if (conversion === undefined) {
        return {
          madeOf: () => [view.quotes],
          answer: () => ({
            rows: table.with(extras).of(view.quotes),
            missing: { 'missing-especies': view.missing },
          }),
        };
      }
      const { to, dollar } = conversion;
      const instrument = board.universe.find(tickerOfDollar(dollar));
      const answerOf = (closes: CloseSeries): RowsOrProblem => {
        const by = { to, dollar: instrument && board.quote(instrument), closes };
        const rows = view.quotes.flatMap((quote) => convertQuote(quote, by) ?? []);
        return {
          rows: table.with(extras).of(rows),
          fields: conversionFields(dollar, view.quotes.length - rows.length),
          missing: { 'missing-especies': view.missing },
          isRange: false,
        };
      };
      return {
        madeOf: () => [
          view.quotes,
          instrument && board.quote(instrument),
          instrument && revisionOf(instrument),
        ],
        answer: () =>
          whenRead(instrument === undefined ? emptySeries : closesOf(instrument), answerOf),
      };
    },
    answering,
  );
}
