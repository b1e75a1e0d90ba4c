import { doubtsAbout } from '../domain/action-evidence.ts';
import { isUnitAction } from '../domain/corporate-action.ts';
import type { CorporateAction } from '../domain/corporate-action.ts';
import { CorporateActions } from '../domain/corporate-actions.ts';
import { closesByDay } from '../domain/daily-close.ts';
import type { EpochDay } from '../domain/plain-date.ts';
import type { ActionStore } from '../store/action-store.ts';
import type { HistoryReader } from '../store/history-store.ts';

/** Two sources may date one split some days apart, such as that of a CEDEAR and that of its share. */
const sameSplitDays = 5;

/** Closes of these many days before and after an ex date are the evidence about an action. */
const evidenceDays = 45;

/**
 * Records the corporate actions that sources send with their history. A recorded action is never
 * changed: an operator may have corrected it. A second action that changes the number of units within
 * five days of another one is taken to be the same one.
 *
 * An action that the stored closes contradict is not recorded. These closes were adjusted for it by
 * their source, and would be divided a second time.
 */
export class FetchedActions {
  readonly #dependencies: {
    readonly actions: Pick<ActionStore, 'readAll' | 'apply'>;
    readonly history: Pick<HistoryReader, 'readSeries'>;
  };

  constructor(dependencies: {
    readonly actions: Pick<ActionStore, 'readAll' | 'apply'>;
    readonly history: Pick<HistoryReader, 'readSeries'>;
  }) {
    this.#dependencies = dependencies;
  }

  /** Records those of these actions that are not recorded yet. */
  async add(sent: readonly CorporateAction[]): Promise<{
    readonly added: number;
    readonly contradicted: readonly CorporateAction[];
  }> {
    if (sent.length === 0) return { added: 0, contradicted: [] };
    const { actions: store } = this.#dependencies;
    const recorded = new CorporateActions((await store.readAll()).actions);
    const put: CorporateAction[] = [];
    const contradicted: CorporateAction[] = [];
    for (const action of sent) {
      if ([...recorded.of(action.ticker), ...put].some((one) => isSameEvent(one, action))) continue;
      ((await this.#isContradicted(action)) ? contradicted : put).push(action);
    }
    if (put.length === 0) return { added: 0, contradicted };
    return { added: (await store.apply({ put, remove: [] })).length, contradicted };
  }

  async #isContradicted(action: CorporateAction): Promise<boolean> {
    if (!isUnitAction(action)) return false;
    const { ticker, exDay } = action;
    const series = await this.#dependencies.history.readSeries(ticker, {
      from: (exDay - evidenceDays) as EpochDay,
      to: (exDay + evidenceDays) as EpochDay,
    });
    return [...doubtsAbout(closesByDay(series), [action])].some(
      ({ type }) => type === 'contradicted',
    );
  }
}

function isSameEvent(one: CorporateAction, other: CorporateAction): boolean {
  if (isUnitAction(one) && isUnitAction(other)) {
    return Math.abs(one.exDay - other.exDay) <= sameSplitDays;
  }
  return one.type === other.type && one.exDay === other.exDay;
}
