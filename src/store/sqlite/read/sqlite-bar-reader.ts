import type { DatabaseSync } from 'node:sqlite';

import type { Bar } from '../../../domain/quotes/minute-bar.ts';
import type { EpochDay } from '../../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { BarReader } from '../../contract/bar-store.ts';
import { withFaults } from '../file/sqlite-fault.ts';
import { StoredBars } from '../rows/stored-bars.ts';
import { BarSeals, firstOfBlock } from '../seals/bar-seals.ts';
import { Snapshot } from '../seals/set-seal.ts';
import { VerifiedCloses } from '../seals/verified-closes.ts';

/** Reads committed bars, which are compared with their seals. */
export class SqliteBarReader implements BarReader {
  readonly #path: string;
  readonly #snapshot: Snapshot;
  readonly #stored: StoredBars;
  readonly #seals: BarSeals;
  readonly #instruments: Pick<VerifiedCloses, 'idOf'>;

  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#snapshot = new Snapshot(database);
    this.#stored = new StoredBars(database, path);
    this.#seals = new BarSeals(database, path);
    this.#instruments = new VerifiedCloses(database, path);
  }

  async readBars(
    ticker: Ticker,
    { from, to, sinceMinute = -Infinity }: Parameters<BarReader['readBars']>[1],
  ): Promise<readonly Bar[]> {
    return this.#read(ticker, [], (id) => {
      const range = { from, to, sinceMinute: firstOfBlock(sinceMinute) };
      const bars = this.#stored.of(id, from, to, range.sinceMinute);
      this.#seals.verify(id, range, bars);
      return bars.filter(({ minute }) => minute >= sinceMinute);
    });
  }

  async latestBarDay(ticker: Ticker): Promise<EpochDay | undefined> {
    return this.#read(ticker, undefined, (id) => {
      const latest = this.#stored.latestDay(id);
      const range = { from: latest ?? -Infinity, to: Infinity, sinceMinute: -Infinity };
      this.#seals.verify(id, range, this.#stored.of(id, range.from, range.to, range.sinceMinute));
      return latest;
    });
  }

  /** Runs `read` if the instrument is known, on one state of the database. */
  #read<T>(ticker: Ticker, absent: T, read: (id: number) => T): T {
    return withFaults(this.#path, () =>
      this.#snapshot.run(() => {
        const id = this.#instruments.idOf(ticker);
        return id === undefined ? absent : read(id);
      }),
    );
  }
}
