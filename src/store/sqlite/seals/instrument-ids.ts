import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { SqliteConnection } from '../file/sqlite-connection.ts';
import { CloseSeals } from './close-seals.ts';

/**
 * Finds the ids of instruments, and gives an id to a new one, within the transaction of the caller.
 *
 * @throws StoreFault `corrupt` when an instrument is found in one of two places only.
 */
export function instrumentIds(connection: SqliteConnection): (ticker: Ticker) => number {
  const seals = new CloseSeals(connection);
  return (ticker) => {
    const known = seals.idOf(ticker);
    if (known !== undefined) return known;
    const [[id] = [0]] = connection.all<readonly [number]>(
      'INSERT INTO instruments (ticker) VALUES ($1) RETURNING id',
      [ticker],
    );
    connection.all('INSERT INTO instrument_seals (ticker, id) VALUES ($1, $2)', [ticker, id]);
    return id;
  };
}
