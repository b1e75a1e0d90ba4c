import { CorporateActions, noActions } from '../../domain/history/corporate-actions.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { ActionStore } from '../../store/contract/action-store.ts';

/**
 * Stores the corporate actions in memory, and follows the store. An import by any process applies
 * without a restart.
 */
export class ActionFollower {
  readonly #store: Pick<ActionStore, 'readAll' | 'revision'>;
  readonly #onChange: (tickers: readonly Ticker[]) => void | Promise<void>;
  /** Undefined before the first read. */
  #revision: number | undefined;
  #current = noActions;
  /** The actions of the last report that succeeded. */
  #reported = noActions;

  /** @param onChange called with the instruments whose actions have changed. Then they are {@link current}. */
  constructor(
    store: Pick<ActionStore, 'readAll' | 'revision'>,
    onChange: (tickers: readonly Ticker[]) => void | Promise<void>,
  ) {
    this.#store = store;
    this.#onChange = onChange;
  }

  /** The actions as of the last {@link catchUp}. */
  get current(): CorporateActions {
    return this.#current;
  }

  /**
   * Reads the actions if they have changed since the last call. The first call reads all of them. A
   * change that could not be reported is reported again by the next call.
   */
  async catchUp(): Promise<void> {
    if ((await this.#store.revision()) === this.#revision) return;
    const { revision, actions } = await this.#store.readAll();
    const current = new CorporateActions(actions);
    this.#current = current;
    const changed = current.changedSince(this.#reported);
    if (changed.length > 0) await this.#onChange(changed);
    this.#reported = current;
    this.#revision = revision;
  }
}
