import { LRUCache } from 'lru-cache';

import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import { marketScheduleAt } from '../../domain/calendar/market-schedule.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { marketTable } from '../../wire/bodies/market-body.ts';
import {
  marketParameters,
  allYears,
  parseMarketParams,
} from '../../wire/params/reference/market-params.ts';
import type { MarketQuery } from '../../wire/params/reference/market-params.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import { Body } from '../content/body.ts';
import type { Content, TableSource } from '../content/content.ts';
import { mediaTypeOf } from '../content/negotiation.ts';
import { Fields } from '../handler/fields.ts';

/** Maximum number of cached responses: of each year, format and choice of fields that clients request. */
const responsesMax = 32;

/** A response, and the time in which no market changes. */
interface Rendered {
  readonly content: Content;
  /** In epoch milliseconds; the former is included. */
  readonly validFrom: number;
  readonly validUntil: number;
}

/**
 * The markets with their state, hours and holidays (contract 4.6). A response is rendered again when the
 * state of a market or its year changes, and when the clock is set back.
 */
export function mercados({
  universe,
  clock,
}: {
  readonly universe: Universe;
  readonly clock: Clock;
}): TableSource {
  const calendars = [...new MarketCalendars(universe).byMarket.values()];
  const rendered = new LRUCache<string, Rendered>({ max: responsesMax });

  const render = ({ year, fields }: MarketQuery, format: TableFormat, now: number): Rendered => {
    const shown = year === allYears ? '' : year;
    const rows = calendars.map((calendar) => ({
      schedule: marketScheduleAt(calendar, now, shown),
      market: calendar.market,
    }));
    const parts = [Buffer.from(marketTable(fields).render(rows, format))];
    const body = new Body({ type: mediaTypeOf(format), parts, mayCompress: () => true });
    return {
      content: { body, fields: Fields.none },
      validFrom: now,
      validUntil: Math.min(...rows.map(({ schedule }) => schedule.validUntil)),
    };
  };

  return {
    path: '/mercados',
    parameters: marketParameters,
    find: (rawQuery, format) => {
      const query = parseMarketParams(rawQuery);
      if (!query.ok) return query;
      const { year = '', fields } = query.value;
      const key = `${format} ${year} ${fields.join(' ')}`;
      const now = clock.now();
      const known = rendered.get(key);
      if (known !== undefined && known.validFrom <= now && now < known.validUntil) {
        return { ok: true, value: known.content };
      }
      const fresh = render(query.value, format, now);
      rendered.set(key, fresh);
      return { ok: true, value: fresh.content };
    },
  };
}
