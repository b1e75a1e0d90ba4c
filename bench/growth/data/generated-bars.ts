import type { Bar } from '../../../src/domain/quotes/minute-bar.ts';
import type { EpochDay } from '../../../src/domain/calendar/plain-date.ts';
import { packBars } from '../../../src/store/encoding/packed-bars.ts';
import { openWriter, SqliteConnection } from '../../../src/store/sqlite/file/connection.ts';
import { BarSeals } from '../../../src/store/sqlite/seals/bar-seals.ts';
import { CloseSeals } from '../../../src/store/sqlite/seals/close-seals.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { seededRandom } from '../../support/random.ts';

/** A session of BYMA has this many minutes. */
const minutesPerSession = 390;

/** The first minute of a session, counted from midnight in UTC: 10:30 in Buenos Aires. */
const firstMinute = 810;

/** Number of instruments whose bars are written in one transaction. */
const instrumentsPerCommit = 200;

/**
 * Adds bars of all minutes of some sessions to a database, as they are stored when the sessions have been packed.
 * The parts of the store pack and seal them. To commit each minute and pack it later, as a service does, would take
 * more than ten minutes for 39 million bars, and end with the same rows.
 */
export function addPackedBars(
  path: string,
  tickers: readonly Ticker[],
  days: readonly EpochDay[],
): void {
  using database = openWriter(path);
  const connection = new SqliteConnection(database, path);
  const instruments = new CloseSeals(connection);
  const seals = new BarSeals(connection);
  const put = database.prepare('INSERT INTO session_bars (instrument_id, day, bars) VALUES (?, ?, ?)');
  for (let from = 0; from < tickers.length; from += instrumentsPerCommit) {
    database.exec('BEGIN IMMEDIATE');
    for (const [index, ticker] of tickers.slice(from, from + instrumentsPerCommit).entries()) {
      const id = instruments.idOfAny(ticker);
      const random = seededRandom(from + index);
      for (const day of days) {
        const bars = generateBars(day, random);
        put.run(id, day, packBars(bars));
        for (const bar of bars) seals.put(id, { bar, replaced: undefined });
      }
    }
    database.exec('COMMIT');
  }
}

/** A session of a random walk in steps of a usual tick. */
function generateBars(day: EpochDay, random: () => number): readonly Bar[] {
  let price = Math.round(100 + random() * 100_000);
  const tick = price > 1_000 ? 0.5 : 0.05;
  const step = (): number => Math.round((random() - 0.5) * 6) * tick;
  return Array.from({ length: minutesPerSession }, (_, at) => {
    const open = rounded(Math.max(tick, price + step()));
    const last = rounded(Math.max(tick, open + step()));
    price = last;
    return {
      day,
      minute: day * 1_440 + firstMinute + at,
      open,
      high: rounded(Math.max(open, last) + Math.floor(random() * 3) * tick),
      low: rounded(Math.max(tick, Math.min(open, last) - Math.floor(random() * 3) * tick)),
      last,
      volume: Math.floor(random() * 5_000),
    };
  });
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
