import type { DailyClose } from '../domain/daily-close.ts';
import { fromEpochDay } from '../domain/plain-date.ts';
import type { PlainDate } from '../domain/plain-date.ts';
import type { Ticker } from '../domain/ticker.ts';
import type { Engine, HistoryFacts, SessionClose, Turn } from '../engine/engine.ts';
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
    const given = tickers.map((ticker) => this.#engine.closesGiven(ticker));
    // The closes that these sessions' forerunners left may still be on their way to the disk, and
    // history without them would give references of the session before. An instrument that rolls
    // or leaves a close after this moment is another than its facts are of, and is asked again.
    await this.#persist.submit(nothing);
    const latest = await this.#history.latestCloses(tickers);
    await this.#keepOvertaken(tickers, latest);
    const sessions = tickers.flatMap((ticker, index) => {
      const sessionDate = later(held[index], latest.get(ticker));
      if (sessionDate === undefined) return [];
      return [{ ticker, sessionDate, closesGiven: given[index] ?? 0 }];
    });
    const references = await this.#history.referenceCloses(sessions);
    return sessions.map((session, index) => ({
      ...session,
      latest: latest.get(session.ticker),
      references: references[index] ?? {},
    }));
  }

  /**
   * A session that history goes beyond before it has ended here (the service was down, and a later day
   * was imported) is about to be replaced. Its close is kept where history has none of that day.
   */
  async #keepOvertaken(
    tickers: readonly Ticker[],
    latest: ReadonlyMap<Ticker, DailyClose>,
  ): Promise<void> {
    const closes: SessionClose[] = [];
    for (const ticker of tickers) {
      const pending = this.#engine.pendingClose(ticker);
      if (pending === undefined) continue;
      const { day } = pending.close;
      if (day >= (latest.get(ticker)?.day ?? day)) continue;
      const { days } = await this.#history.readSeries(ticker, { from: day, to: day });
      if (days.length === 0) closes.push(pending);
    }
    if (closes.length > 0) await this.#persist.submit({ ...nothing, closes });
  }
}

const nothing: Turn = { quotes: [], stored: [], closes: [] };

/** The later of a session and the one that a close is of. */
function later(held: PlainDate | undefined, latest: DailyClose | undefined): PlainDate | undefined {
  const inHistory = latest === undefined ? undefined : fromEpochDay(latest.day);
  if (held === undefined || inHistory === undefined) return held ?? inHistory;
  return inHistory > held ? inHistory : held;
}
