import { isDeepStrictEqual } from 'node:util';
import { evidenceDays, moveAt } from '../../domain/history/action-evidence.ts';
import {
  actionKey,
  isFactorAction,
  type CorporateAction,
} from '../../domain/history/corporate-action.ts';
import { CorporateActions } from '../../domain/history/corporate-actions.ts';
import { closesByDay } from '../../domain/history/daily-close.ts';
import { isSameEvent } from '../../domain/history/offered-action.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { ActionStore } from '../../store/contract/versioned-stores.ts';
import type { HistoryReader } from '../../store/contract/history-store.ts';

interface ActionDependencies {
  readonly actions: Pick<ActionStore, 'readAll' | 'apply'>;
  readonly history: Pick<HistoryReader, 'readSeries'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Records the corporate actions that sources send with their history. A recorded action is never
 * changed: an operator may have corrected it. Of actions with a factor, a second one within five days of
 * another one is taken to be the same one.
 *
 * An action that the stored closes contradict is not recorded. These closes were adjusted for it by
 * their source, and would be divided a second time.
 */
export class FetchedActions {
  readonly #dependencies: ActionDependencies;

  /** Read when it is needed, and again after a change of this fetch. */
  #recorded: CorporateActions | undefined;

  constructor(dependencies: ActionDependencies) {
    this.#dependencies = dependencies;
  }

  /** The actions of an instrument: the recorded ones, and those that a source has just sent. */
  async of(ticker: Ticker, sent: readonly CorporateAction[]): Promise<readonly CorporateAction[]> {
    this.#recorded ??= new CorporateActions((await this.#dependencies.actions.readAll()).values);
    const recorded = this.#recorded.of(ticker);
    const added = sent.filter(
      (one) => one.ticker === ticker && !recorded.some((other) => isSameEvent(other, one)),
    );
    return [...recorded, ...added].sort((a, b) => a.exDay - b.exDay);
  }

  /** Records those of these actions that are not recorded yet. */
  async add(sent: readonly CorporateAction[]): Promise<{
    readonly added: number;
    readonly contradicted: readonly CorporateAction[];
  }> {
    if (sent.length === 0) return { added: 0, contradicted: [] };
    const { actions: store } = this.#dependencies;
    const recorded = new CorporateActions((await store.readAll()).values);
    const put: CorporateAction[] = [];
    const contradicted: CorporateAction[] = [];
    for (const action of sent) {
      if ([...recorded.of(action.ticker), ...put].some((one) => isSameEvent(one, action))) continue;
      ((await this.#isContradicted(action)) ? contradicted : put).push(action);
    }
    if (put.length === 0) return { added: 0, contradicted };
    this.#recorded = undefined;
    const by = { at: this.#dependencies.clock.now(), origin: 'fetch' } as const;
    return { added: (await store.apply({ put }, by)).length, contradicted };
  }

  /**
   * Makes the actions of an instrument those of another Pizarra: adds them, and replaces and removes those
   * that came from it before. A recorded action of another source, such as an import, stays.
   *
   * @returns the number of added, replaced and removed actions.
   */
  async copy({
    source,
    ticker,
    actions,
  }: {
    readonly source: string;
    readonly ticker: Ticker;
    readonly actions: readonly CorporateAction[];
  }): Promise<number> {
    const { actions: store } = this.#dependencies;
    this.#recorded ??= new CorporateActions((await store.readAll()).values);
    const sent = new Map(actions.map((action) => [actionKey(action), action]));
    const recorded = new Map(
      [ticker, ...actions.map((one) => one.ticker)]
        .flatMap((one) => this.#recorded?.of(one) ?? [])
        .map((action) => [actionKey(action), action]),
    );
    const put = [...sent].flatMap(([key, action]) => {
      const held = recorded.get(key);
      const isOwn = held === undefined || held.source === source;
      return isOwn && !isDeepStrictEqual(held, action) ? [action] : [];
    });
    const remove = [...recorded].flatMap(([key, action]) => {
      const isGone = action.ticker === ticker && action.source === source && !sent.has(key);
      return isGone ? [action] : [];
    });
    if (put.length + remove.length === 0) return 0;
    this.#recorded = undefined;
    const by = { at: this.#dependencies.clock.now(), origin: 'fetch' } as const;
    return (await store.apply({ put, remove }, by)).length;
  }

  async #isContradicted(action: CorporateAction): Promise<boolean> {
    if (!isFactorAction(action)) return false;
    const { ticker, exDay } = action;
    const series = await this.#dependencies.history.readSeries(ticker, {
      from: (exDay - evidenceDays) as EpochDay,
      to: (exDay + evidenceDays) as EpochDay,
    });
    return moveAt(closesByDay(series), action) === 'stayed';
  }
}
