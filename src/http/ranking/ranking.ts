import { LRUCache } from 'lru-cache';

import type { Board } from '../../board/board.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Clock } from '../../lib/time/clock.ts';
import {
  rankingParameters,
  parseRankingParams,
} from '../../wire/params/reference/ranking-params.ts';
import { InstantTexts } from '../../wire/texts/instant-texts.ts';
import type { TableSource } from '../content/content.ts';
import { RankingResponse } from './ranking-response.ts';

/** Maximum number of cached responses, of at most 200 KiB each. */
const responsesMax = 128;

/** The first quotes of a panel by one of their values (contract 4.16), from memory. */
export function ranking({
  board,
  clock,
}: {
  readonly board: Board;
  readonly clock: Clock;
}): TableSource {
  const calendars = new MarketCalendars(board.universe);
  const instants = new InstantTexts(board.universe);
  const cached = new LRUCache<string, RankingResponse>({ max: responsesMax });
  return {
    path: '/ranking',
    parameters: rankingParameters,
    clear: () => cached.clear(),
    find: (rawQuery, format) => {
      const key = `${format} ${rawQuery}`;
      const known = cached.get(key);
      if (known !== undefined) return { ok: true, value: known.current(clock.now()) };
      const query = parseRankingParams(rawQuery);
      if (!query.ok) return query;
      const response = new RankingResponse({
        board,
        calendars,
        instants,
        query: query.value,
        format,
      });
      cached.set(key, response);
      return { ok: true, value: response.current(clock.now()) };
    },
  };
}
