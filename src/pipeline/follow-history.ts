import type { DailyClose } from '../domain/daily-close.ts';
import { fromEpochDay } from '../domain/plain-date.ts';
import type { PlainDate } from '../domain/plain-date.ts';
import type { Ticker } from '../domain/ticker.ts';
import type { Engine, HistoryFacts, Turn } from '../engine/engine.ts';
import type { HistoryChanges } from '../store/history-changes.ts';
import type { HistoryReader } from '../store/history-store.ts';
import type { Persist } from './persist.ts';

/**
 * Keeps the engine in step with history: an import or a correction, by whatever process, shows in
 * the quotes of the instruments concerned, without a restart. Whoever else keeps something of history
 * is told first.
 */
export class HistoryFollower {
  readonly #engine: Engine;
  readonly #persist: Persist;
  readonly #history: HistoryReader;
  readonly #changes: HistoryChanges | undefined;
  #revision = 0;

  constructor(deps: {
    readonly engine: Engine;
    readonly persist: Persist;
    readonly history: HistoryReader;
    readonly changes?: HistoryChanges | undefined;
  }) {
    this.#engine = deps.engine;
    this.#persist = deps.persist;
    this.#history = deps.history;
    this.#changes = deps.changes;
  }

  /** Tells the engine all that changed since the last call; at the first, all there is. */
  async catchUp(): Promise<void> {
    const { revision, tickers } = await this.#history.changesSince(this.#revision);
    if (tickers.length > 0) {
      this.#changes?.publish(tickers);
      await this.#tell(tickers);
    }
    this.#revision = revision;
  }

  async #tell(changed: readonly Ticker[]): Promise<void> {
    let tickers = changed;
    // An instrument may roll to its next session while history is being read; it is asked again.
    while (tickers.length > 0) {
      const { stale, ...turn } = this.#engine.adoptHistory(await this.#factsOf(tickers));
      await this.#persist.submit(turn);
      tickers = stale;
    }
  }

  async #factsOf(tickers: readonly Ticker[]): Promise<readonly HistoryFacts[]> {
    const held = tickers.map((ticker) => this.#engine.referenceSession(ticker, undefined));
    // The closes that these sessions' forerunners left may still be on their way to the disk, and
    // history without them would give references of the session before. An instrument that rolls
    // after this moment has another session than its facts, and is asked again.
    await this.#persist.submit(nothing);
    const latest = await this.#history.latestCloses(tickers);
    const sessions = tickers.flatMap((ticker, index) => {
      const sessionDate = later(held[index], latest.get(ticker));
      return sessionDate === undefined ? [] : [{ ticker, sessionDate }];
    });
    const references = await this.#history.referenceCloses(sessions);
    return sessions.map((session, index) => ({
      ...session,
      latest: latest.get(session.ticker),
      references: references[index] ?? {},
    }));
  }
}

const nothing: Turn = { quotes: [], stored: [], closes: [] };

/** The later of a session and the one that a close is of. */
function later(held: PlainDate | undefined, latest: DailyClose | undefined): PlainDate | undefined {
  const inHistory = latest === undefined ? undefined : fromEpochDay(latest.day);
  if (held === undefined || inHistory === undefined) return held ?? inHistory;
  return inHistory > held ? inHistory : held;
}
