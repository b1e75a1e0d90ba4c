import { CorporateActions, noActions } from '../../domain/history/corporate-actions.ts';
import { classesOf } from '../../domain/history/terms-changes.ts';
import { IndexSeries, noIndices } from '../../domain/indices/index-series.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { ContinuedHistory } from '../../store/continued/continued-history.ts';
import { HistoryRevisions } from '../../store/contract/history-store.ts';
import type { Store } from '../../store/contract/store.ts';

/** What of a store is followed. */
type FollowedStore = Pick<Store, 'history' | 'actions' | 'indices' | 'terms'>;

type Adopt = (tickers: readonly Ticker[]) => Promise<void>;

/**
 * Follows what any process changes in a store, besides quotes: the closes, the corporate actions, the indices and
 * the terms of bonds. The actions and the indices are kept in memory. The revisions of the instruments whose history
 * has changed increase, and then the caller is notified. So an import applies without a restart.
 */
export class HistoryFollower {
  /** The closes, continued over changes of tickers by the current actions. */
  readonly history: ContinuedHistory;
  readonly #store: FollowedStore;
  readonly #revisions: Pick<HistoryRevisions, 'increase'>;
  readonly #adoptActions: Adopt;
  readonly #adoptHistory: Adopt;
  #historyRevision = 0;
  /** Undefined before the first read. */
  #actionsRevision: number | undefined;
  #indicesRevision: number | undefined;
  #termsRevision: number | undefined;
  #actions = noActions;
  /** The actions of the last report that succeeded. */
  #reported = noActions;
  #indices = noIndices;

  constructor(
    store: FollowedStore,
    {
      revisions = new HistoryRevisions(),
      adoptActions = () => Promise.resolve(),
      adoptHistory = () => Promise.resolve(),
    }: {
      /** Increased for the instruments whose history has changed. */
      readonly revisions?: Pick<HistoryRevisions, 'increase'>;
      /** Called with the instruments whose actions have changed. Then they are {@link actions}. */
      readonly adoptActions?: Adopt;
      /** Called with the instruments whose closes have changed. */
      readonly adoptHistory?: Adopt;
    },
  ) {
    this.#store = store;
    this.#revisions = revisions;
    this.#adoptActions = adoptActions;
    this.#adoptHistory = adoptHistory;
    this.history = new ContinuedHistory(store.history, () => this.#actions);
  }

  /** The corporate actions as of the last {@link catchUp}. */
  get actions(): CorporateActions {
    return this.#actions;
  }

  /** The values of indices as of the last {@link catchUp}. */
  get indices(): IndexSeries {
    return this.#indices;
  }

  /**
   * Reads what has changed since the last call. The first call reads everything. A change that could not be
   * reported is reported again by the next call.
   */
  async catchUp(): Promise<void> {
    await this.catchUpCloses();
    await this.#catchUpIndices();
    await this.#catchUpTerms();
  }

  /** As {@link catchUp}, of what quotes follow from: the corporate actions and the closes. */
  async catchUpCloses(): Promise<void> {
    // One after the other: two reads of one instrument at the same time could be adopted in either order.
    await this.#catchUpActions();
    await this.#catchUpHistory();
  }

  async #catchUpActions(): Promise<void> {
    const { actions: store } = this.#store;
    if ((await store.revision()) === this.#actionsRevision) return;
    const { revision, values: actions } = await store.readAll();
    const current = new CorporateActions(actions);
    this.#actions = current;
    const changed = current.changedSince(this.#reported);
    if (changed.length > 0) {
      this.#revisions.increase(changed);
      await this.#adoptActions(changed);
    }
    this.#reported = current;
    this.#actionsRevision = revision;
  }

  async #catchUpHistory(): Promise<void> {
    const { revision, tickers } = await this.history.changesSince(this.#historyRevision);
    if (tickers.length > 0) {
      this.#revisions.increase(tickers);
      await this.#adoptHistory(tickers);
    }
    this.#historyRevision = revision;
  }

  async #catchUpIndices(): Promise<void> {
    const { indices: store } = this.#store;
    if ((await store.revision()) === this.#indicesRevision) return;
    const { revision, values } = await store.readAll();
    this.#indices = new IndexSeries(revision, values);
    this.#indicesRevision = revision;
  }

  /** Terms are read when they are needed. Changes are rare, so every instrument that has or had terms is reported. */
  async #catchUpTerms(): Promise<void> {
    const revision = await this.#store.terms.revision();
    if (this.#termsRevision !== undefined && revision !== this.#termsRevision) {
      const versions = await this.#store.terms.readVersions();
      this.#revisions.increase([...new Set(versions.flatMap(({ value }) => classesOf(value)))]);
    }
    this.#termsRevision = revision;
  }
}
