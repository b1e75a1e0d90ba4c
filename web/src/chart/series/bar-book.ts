import type { IntradayRow } from '../../market/api/quote.ts';
import { lastSessions } from './live-series.ts';

/**
 * The intraday rows of one instrument, from `/intradiarios` and from the stream beside it. A stream
 * that is connected sends every later state of a bar. So a streamed row has priority over a
 * requested one, until the stream breaks.
 */
export class BarBook {
  #requested = new Map<string, IntradayRow>();
  readonly #streamed = new Map<string, IntradayRow>();

  /** The stream is connected again. Bars that ended meanwhile are only in the next request. */
  restart(): void {
    this.#requested = this.#merged();
    this.#streamed.clear();
  }

  /** Replaces the requested rows, which are in ascending order. */
  setRequested(rows: readonly IntradayRow[]): void {
    this.#requested = new Map(rows.map((row) => [nameOf(row), row]));
  }

  /** Adds a row of the stream, or a later state of one. */
  addStreamed(row: IntradayRow): void {
    this.#streamed.set(nameOf(row), row);
  }

  /** All rows, in ascending order. */
  rows(): readonly IntradayRow[] {
    return [...this.#merged().values()];
  }

  /** The rows of the last sessions, in ascending order. */
  lastSessions(count: number): readonly IntradayRow[] {
    return lastSessions(this.rows(), count);
  }

  /** Known rows keep their places. New ones of the stream are later than all requested ones. */
  #merged(): Map<string, IntradayRow> {
    return new Map([...this.#requested, ...this.#streamed]);
  }
}

function nameOf({ fecha, hora }: IntradayRow): string {
  return `${fecha} ${hora}`;
}
