import type { Board } from '../../board/board.ts';
import { toEpochDay } from '../../domain/plain-date.ts';
import type { HistoryReader } from '../../store/history-store.ts';
import { problemAnswer } from '../../wire/error-texts.ts';
import { historyJson } from '../../wire/history-body.ts';
import { parseHistoryParams } from '../../wire/history-params.ts';
import { nameMissing, sendError, sendJson } from '../answer.ts';
import type { PublicRoute } from '../public-route.ts';
import { queryOf } from '../request-target.ts';

/** The daily closes of one instrument (specification 4.2). */
export function historicosRoute({
  board,
  history,
}: {
  readonly board: Board;
  readonly history: HistoryReader;
}): PublicRoute {
  return {
    path: '/historicos',
    handle: async (request, reply) => {
      const query = parseHistoryParams(queryOf(request.raw.url ?? ''));
      if (!query.ok) return sendError(reply, problemAnswer(query.problem));
      const { ticker, from, to } = query.value;
      const instrument = board.universe.find(ticker);
      if (instrument === undefined) {
        nameMissing(reply, [ticker]);
        return sendJson(reply, '[]');
      }
      const range = { from: toEpochDay(from), to: toEpochDay(to) };
      const series = await history.readSeries(instrument.ticker, range);
      return sendJson(reply, historyJson(instrument, series));
    },
  };
}
