import { LRUCache } from 'lru-cache';

import { actionKey } from '../../domain/history/corporate-action.ts';
import { CorporateActions } from '../../domain/history/corporate-actions.ts';
import { barSeriesOf, type BarSeries } from '../../domain/history/daily-close.ts';
import { valuesAt } from '../../domain/changes/version.ts';
import type { ActionVersion, TermsVersion } from '../../domain/history/versions.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { continuedCounts, continuedSeries } from '../../store/continued/continued-history.ts';
import type { DayRange, HistoryReader } from '../../store/contract/history-store.ts';
import type { StoreMemory } from '../../store/contract/store-memory.ts';
import type { Sliced } from '../answers/read-queue.ts';
import type { CountedSources } from '../history/read-range.ts';

/** Maximum number of instants whose corporate actions are cached. */
const instantsMax = 8;

/** All versions of the corporate actions, as of one revision of the actions in force. */
interface ReadActions {
  readonly inForce: CorporateActions;
  readonly versions: Promise<readonly ActionVersion[]>;
  readonly byInstant: LRUCache<number, CorporateActions>;
}

/**
 * What the store knew at an instant, from its memory of changes. Closes are read for each request. The actions
 * are cached until one of them changes, and the first instant of an instrument until one of its closes does
 * ({@link invalidate}).
 */
export class KnownSources {
  readonly #memory: StoreMemory;
  readonly #inForce: () => CorporateActions;
  #actions: ReadActions | undefined;
  #terms: Promise<readonly TermsVersion[]> | undefined;
  /** The first instants of the instruments that were requested so far. */
  readonly #firstOf = new Map<Ticker, Promise<number | undefined>>();

  constructor({
    memory,
    actions,
  }: {
    readonly memory: StoreMemory;
    /** Gives the actions in force. Another object is given when they have changed. */
    readonly actions: () => CorporateActions;
  }) {
    this.#memory = memory;
    this.#inForce = actions;
  }

  /**
   * What the closes and the corporate actions of an instant are read from. An adjusted series is on the basis of the last
   * close that was known: no quote of the past is stored.
   *
   * @param instant in epoch milliseconds. A change at that instant itself had been made.
   * @throws StoreFault if the store cannot be read.
   */
  async at(instant: number): Promise<CountedSources> {
    const actions = await this.actionsAt(instant);
    const read = async (ticker: Ticker, range: DayRange): Promise<BarSeries> => {
      const versions = await this.#memory.readCloses(ticker, range);
      return barSeriesOf(valuesAt(versions, instant, ({ day }) => day));
    };
    const readBars: typeof read = (ticker, range) =>
      continuedSeries(ticker, range, { actions, read });
    const countCloses: HistoryReader['countCloses'] = (tickers, range) =>
      continuedCounts(tickers, {
        actions,
        count: (own) => this.#memory.countCloses(own, range, instant),
        read: (ticker) => readBars(ticker, range),
      });
    return {
      history: { readSeries: readBars, readBars, countCloses },
      actions: () => actions,
      sessionDay: () => undefined,
    };
  }

  /** The corporate actions that were stored at an instant. */
  async actionsAt(instant: number): Promise<CorporateActions> {
    const { versions, byInstant } = this.#readActions();
    const known = byInstant.get(instant);
    if (known !== undefined) return known;
    const actions = new CorporateActions(valuesAt(await versions, instant, actionKey));
    byInstant.set(instant, actions);
    return actions;
  }

  /** The versions of all corporate actions ({@link StoreMemory.readActions}). */
  get actionVersions(): Promise<readonly ActionVersion[]> {
    return this.#readActions().versions;
  }

  /** The versions of the terms of all issues ({@link StoreMemory.readTerms}). */
  get termsVersions(): Promise<readonly TermsVersion[]> {
    if (this.#terms !== undefined) return this.#terms;
    const versions = this.#memory.readTerms();
    this.#terms = versions;
    // The next request tries again.
    versions.catch(() => {
      if (this.#terms === versions) this.#terms = undefined;
    });
    return versions;
  }

  /**
   * The instant since which the changes of an instrument are kept, in epoch milliseconds: the beginning of the memory,
   * or the first close of the instrument if that is from before, as in a copy of another store.
   */
  async since(ticker: Ticker): Promise<number> {
    const began = await this.#memory.began();
    const earlier = this.#inForce().earlierTickers(ticker);
    let since = began;
    for (const name of [ticker, ...earlier.map((one) => one.ticker)]) {
      since = Math.min(since, (await this.#first(name)) ?? began);
    }
    return since;
  }

  /** The latest one of several instruments ({@link since}). Without one, that of an unknown instrument. */
  async *sinceOfAll(instruments: readonly Instrument[]): Sliced<number> {
    let latest: number | undefined;
    for (const { ticker } of instruments) {
      yield;
      const since = await this.since(ticker);
      latest = Math.max(latest ?? since, since);
    }
    return latest ?? this.#memory.began();
  }

  /** Drops what was read of instruments of which something has changed. */
  invalidate(tickers: readonly Ticker[]): void {
    this.#terms = undefined;
    for (const ticker of tickers) this.#firstOf.delete(ticker);
  }

  /** Drops everything. */
  clear(): void {
    this.#firstOf.clear();
    this.#actions = undefined;
    this.#terms = undefined;
  }

  #first(ticker: Ticker): Promise<number | undefined> {
    const known = this.#firstOf.get(ticker);
    if (known !== undefined) return known;
    const first = this.#memory.knownSince(ticker);
    this.#firstOf.set(ticker, first);
    // The next request tries again.
    first.catch(() => {
      if (this.#firstOf.get(ticker) === first) this.#firstOf.delete(ticker);
    });
    return first;
  }

  #readActions(): ReadActions {
    const inForce = this.#inForce();
    if (this.#actions?.inForce === inForce) return this.#actions;
    const versions = this.#memory.readActions();
    const read = {
      inForce,
      versions,
      byInstant: new LRUCache<number, CorporateActions>({ max: instantsMax }),
    };
    this.#actions = read;
    // The next request tries again.
    versions.catch(() => {
      if (this.#actions === read) this.#actions = undefined;
    });
    return read;
  }
}
