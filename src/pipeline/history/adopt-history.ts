import type { DailyClose } from '../../domain/history/daily-close.ts';
import { fromEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Engine, HistoryFacts } from '../../engine/engine.ts';
import { noChanges, type SessionClose } from '../../engine/change-set.ts';
import type { CloseReader, HistoryReader } from '../../store/contract/history-store.ts';
import type { Persist } from '../live/persist.ts';

/** Passes the history of instruments to the engine, so that an import or a correction appears in their quotes. */
export class HistoryAdopter {
  readonly #engine: Engine;
  readonly #persist: Persist;
  readonly #history: HistoryReader & CloseReader;

  constructor(deps: {
    readonly engine: Engine;
    readonly persist: Persist;
    readonly history: HistoryReader & CloseReader;
  }) {
    this.#engine = deps.engine;
    this.#persist = deps.persist;
    this.#history = deps.history;
  }

  /** Passes the current history of these instruments to the engine. */
  async adopt(changed: readonly Ticker[]): Promise<void> {
    let tickers = changed;
    // An instrument may roll to its next session while its history is read. It is then read again.
    while (tickers.length > 0) {
      const { stale, ...changes } = this.#engine.adoptHistory(await this.#factsOf(tickers));
      await this.#persist.submit(changes);
      tickers = stale;
    }
  }

  async #factsOf(tickers: readonly Ticker[]): Promise<readonly HistoryFacts[]> {
    const states = tickers.map((ticker) => ({
      ticker,
      current: this.#engine.referenceSession(ticker, undefined),
      closesReturned: this.#engine.closesReturned(ticker),
    }));
    // The closes of the previous sessions may not be stored yet, and history without them would give
    // references that are one session too old. So wait until they are durable. An instrument that
    // rolls or produces a close after this point is reported as stale, and is read again.
    await this.#persist.submit(noChanges);
    const latest = await this.#history.latestCloses(tickers);
    await this.#storeOvertakenCloses(tickers, latest);
    const sessions = states.flatMap(({ ticker, current, closesReturned }) => {
      const sessionDate = later(current, latest.get(ticker));
      return sessionDate === undefined ? [] : [{ ticker, sessionDate, closesReturned }];
    });
    const references = await this.#history.referenceCloses(sessions);
    const facts: HistoryFacts[] = [];
    for (const [index, session] of sessions.entries()) {
      facts.push({
        ...session,
        latest: latest.get(session.ticker),
        references: references[index] ?? {},
        setAside: await this.#closeSetAside(session.ticker),
      });
    }
    return facts;
  }

  /** The close that the prices of an instrument contradict, as history has it now. Few have one. */
  async #closeSetAside(ticker: Ticker): Promise<HistoryFacts['setAside']> {
    const day = this.#engine.setAsideOf(ticker)?.day;
    if (day === undefined) return undefined;
    const [close] = await this.#history.readCloses(ticker, { from: day, to: day });
    return { day, close };
  }

  /**
   * Stores the closes of sessions that are about to be replaced by a later day of history. This
   * happens when the service was down and a later day was imported. A close that history has already
   * is not replaced.
   */
  async #storeOvertakenCloses(
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
    if (closes.length > 0) await this.#persist.submit({ ...noChanges, closes });
  }
}

/** The later of the engine's current session and the session of the last close in history. */
function later(
  current: PlainDate | undefined,
  latest: DailyClose | undefined,
): PlainDate | undefined {
  const inHistory = latest === undefined ? undefined : fromEpochDay(latest.day);
  if (current === undefined || inHistory === undefined) return current ?? inHistory;
  return inHistory > current ? inHistory : current;
}
