import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Pause } from '../../lib/time/pause.ts';
import { FeedFault, type Rejected } from '../contract/feed.ts';
import { readSeries, type BcraSeries, type SeriesPart } from './bcra-mapper.ts';

/** The time from one request to the next, in milliseconds. The source publishes no limit. */
export const bcraSpacingMs = 1_000;

/** More pages than the longest series has. The daily series begin in 1996. */
const pagesMax = 40;

/** The rows of a range of days, from all of its pages. */
export type SeriesRows = Pick<SeriesPart, 'values' | 'rejected'>;

/**
 * Reads a range of a series page by page. If one page fails, the whole range fails, because a part of it would
 * look complete.
 *
 * @throws FeedFault
 */
export async function readAllPages(
  series: BcraSeries,
  request: {
    readonly base: string;
    readonly from: PlainDate;
    /** Undefined: up to the last day that the source has. It refuses a date to come with status 400. */
    readonly to: PlainDate | undefined;
    readonly pause: Pause;
    readonly signal: AbortSignal;
    readonly read: (url: URL) => Promise<unknown>;
  },
): Promise<SeriesRows> {
  const { base, pause, signal, read } = request;
  const values: SeriesPart['values'][number][] = [];
  const rejected: Rejected[] = [];
  for (let page = 0, offset = 0; page < pagesMax; page += 1) {
    if (page > 0) await pause(bcraSpacingMs, signal);
    const url = new URL(series.path, base);
    url.searchParams.set(series.from, request.from);
    if (request.to !== undefined) url.searchParams.set(series.to, request.to);
    url.searchParams.set('limit', String(series.rowsMax));
    url.searchParams.set('offset', String(offset));
    const part = readSeries(await read(url), series);
    values.push(...part.values);
    rejected.push(...part.rejected);
    offset += part.rows;
    const isLast = part.count === undefined ? part.rows < series.rowsMax : offset >= part.count;
    if (isLast || part.rows === 0) return { values, rejected };
  }
  throw new FeedFault('unintelligible', `${series.path} has more pages than its series can have`);
}
