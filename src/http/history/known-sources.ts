import { actionKey } from '../../domain/history/corporate-action.ts';
import { CorporateActions } from '../../domain/history/corporate-actions.ts';
import { barSeriesOf, type BarSeries } from '../../domain/history/daily-close.ts';
import { valuesAt } from '../../domain/changes/version.ts';
import type { ActionVersion, TermsVersion } from '../../domain/history/versions.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { continuedCounts, continuedSeries } from '../../store/continued/continued-history.ts';
import type {
  DayRange,
  HistoryReader,
  HistoryRevisions,
} from '../../store/contract/history-store.ts';
import type { VersionedParts } from '../../store/contract/store.ts';
import type { ResponseMemory } from '../answers/answers.ts';
import type { Sliced } from '../answers/read-queue.ts';
import type { BondPayments } from './bond-payments.ts';
import type { SeriesSources } from './read-table.ts';

/** The memory of one version of an action or of terms, in bytes, as an estimate. */
const bytesPerVersion = 256;

function bytesOf({ length }: { readonly length: number }): number {
  return length * bytesPerVersion;
}

/** The corporate actions of an instant, and how many versions they were found among. */
interface KnownActions {
  readonly actions: CorporateActions;
  readonly count: number;
}

/** Reads the current and the earlier versions of what is stored. */
type KnownVersions = Pick<VersionedParts, 'memory'> & {
  readonly [Part in 'actions' | 'terms']: Pick<VersionedParts[Part], 'readVersions'>;
};

/**
 * What the store knew at an instant, from its memory of changes. Closes are read for each request. The versions of
 * actions and terms, and the first instant of an instrument, are shared by all of them.
 */
export class KnownSources {
  readonly #versions: KnownVersions;
  readonly #inForce: () => CorporateActions;
  readonly #revisions: HistoryRevisions;
  readonly #responses: ResponseMemory;
  readonly #payments: BondPayments;

  constructor({
    versions,
    actions,
    revisions,
    responses,
    payments,
  }: {
    readonly versions: KnownVersions;
    /** Gives the actions in force. Another object is given when they have changed. */
    readonly actions: () => CorporateActions;
    readonly revisions: HistoryRevisions;
    readonly responses: ResponseMemory;
    /** Those of the current terms and indices. */
    readonly payments: BondPayments;
  }) {
    this.#versions = versions;
    this.#inForce = actions;
    this.#revisions = revisions;
    this.#responses = responses;
    this.#payments = payments;
  }

  /**
   * What the closes and the corporate actions of an instant are read from. An adjusted series is on the basis of the last
   * close that was known: no quote of the past is stored.
   *
   * @param instant in epoch milliseconds. A change at that instant itself had been made.
   * @throws StoreFault if the store cannot be read.
   */
  async at(instant: number): Promise<SeriesSources> {
    const actions = await this.actionsAt(instant);
    const read = async (ticker: Ticker, range: DayRange): Promise<BarSeries> => {
      const versions = await this.#versions.memory.readCloses(ticker, range);
      return barSeriesOf(valuesAt(versions, instant, ({ day }) => day));
    };
    const readBars: typeof read = (ticker, range) =>
      continuedSeries(ticker, range, { actions, read });
    const countCloses: HistoryReader['countCloses'] = (tickers, range) =>
      continuedCounts(tickers, {
        actions,
        count: (own) => this.#versions.memory.countCloses(own, range, instant),
        read: (ticker) => readBars(ticker, range),
      });
    return {
      history: { readSeries: readBars, readBars, countCloses },
      actions: () => actions,
      payments: this.#payments,
      sessionDay: () => undefined,
    };
  }

  /** The corporate actions that were stored at an instant. */
  async actionsAt(instant: number): Promise<CorporateActions> {
    const { actions } = await this.#responses.share<KnownActions>(`actions at ${instant}`, {
      madeOf: [this.#inForce()],
      read: async () => {
        const versions = await this.actionVersions();
        const known = valuesAt(versions, instant, actionKey);
        return { actions: new CorporateActions(known), count: versions.length };
      },
      bytesOf: ({ count }) => count * bytesPerVersion,
    });
    return actions;
  }

  /** The versions of all corporate actions. */
  async actionVersions(): Promise<readonly ActionVersion[]> {
    return this.#responses.share('versions of actions', {
      madeOf: [this.#inForce()],
      read: () => this.#versions.actions.readVersions(),
      bytesOf,
    });
  }

  /** The versions of the terms of all issues. */
  async termsVersions(): Promise<readonly TermsVersion[]> {
    return this.#responses.share('versions of terms', {
      madeOf: [this.#revisions.last],
      read: () => this.#versions.terms.readVersions(),
      bytesOf,
    });
  }

  /**
   * The instant since which the changes of an instrument are kept, in epoch milliseconds: the beginning of the memory,
   * or the first close of the instrument if that is from before, as in a copy of another store.
   */
  async since(ticker: Ticker): Promise<number> {
    const began = await this.#versions.memory.began();
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
    return latest ?? this.#versions.memory.began();
  }

  async #first(ticker: Ticker): Promise<number | undefined> {
    const { at } = await this.#responses.share(`first instant of ${ticker}`, {
      madeOf: [this.#revisions.of(ticker)],
      read: async () => ({ at: await this.#versions.memory.knownSince(ticker) }),
      bytesOf: () => 0,
    });
    return at;
  }
}
