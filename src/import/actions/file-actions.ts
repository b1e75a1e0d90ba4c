import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import { moveAt } from '../../domain/history/action-evidence.ts';
import {
  actionKey,
  isFactorAction,
  type CorporateAction,
  type FactorAction,
} from '../../domain/history/corporate-action.ts';
import { CorporateActions } from '../../domain/history/corporate-actions.ts';
import {
  compareOffered,
  hasSameValues,
  sameSplitDays,
} from '../../domain/history/offered-action.ts';
import type { PriceOfDay } from '../../domain/history/judge/move.ts';
import type { ActionStore } from '../../store/contract/versioned-stores.ts';

/** Why an action of a file of prices is not recorded. */
export const leftOutReasons = {
  recorded: 'another one is recorded, which is kept; "actions remove" removes it',
  disputed: 'the file has different ones for this day',
  adjusted:
    'the closes of the file do not move with it. They are adjusted for it already, and recording it would adjust them twice',
  unclear:
    'the closes of the file do not show whether they move with it; if they are as traded, "actions import" records it',
  'closes-adjusted':
    'the closes of the file are adjusted for it already, and recording it would subtract it twice; download them with auto_adjust=False',
  'amount-adjusted':
    'their amounts may be divided by a later split; "actions import" records amounts as paid',
} as const;

/** One of {@link leftOutReasons}. */
type LeftOutReason = keyof typeof leftOutReasons;

/** An action of a file of prices that is not recorded. */
interface LeftOutAction {
  readonly action: CorporateAction;
  readonly reason: LeftOutReason;
}

/** What becomes of the actions of a file. */
export interface DecidedActions {
  /** The actions to record. */
  readonly put: readonly CorporateAction[];
  /** Number of actions that are recorded already. */
  readonly same: number;
  readonly leftOut: readonly LeftOutAction[];
}

/** What became of the dividends and splits in the columns of a file, with `--actions`. */
export interface FileActionCounts {
  /** Recorded; in a dry run, those that would be. */
  readonly added: number;
  readonly same: number;
  /** Cells that are neither a dividend nor a split. */
  readonly rejected: number;
  /** All that are not recorded, by ticker and ex date. */
  readonly leftOut: readonly LeftOutAction[];
}

/** Reads the closes of the file in the days around a day, ascending. */
type ClosesAround = (day: EpochDay) => Promise<readonly PriceOfDay[]>;

/** An action of the file. `isDisputed`: another row of the day says something else. */
interface Offered {
  readonly action: CorporateAction;
  isDisputed: boolean;
}

/**
 * The dividends and splits of one instrument in the columns of one file of prices. Some sources divide their prices and
 * dividends by all later splits. So a split counts only if the closes of the file move with it, and a
 * dividend only if every later split of the file does.
 */
export class FileActions {
  readonly #offers = new Map<string, Offered>();

  add(action: CorporateAction): void {
    const key = actionKey(action);
    const known = this.#offers.get(key);
    if (known === undefined) this.#offers.set(key, { action, isDisputed: false });
    else if (!hasSameValues(known.action, action)) known.isDisputed = true;
  }

  /**
   * Decides which actions to record. Call it after the closes of the file are written.
   *
   * @param recorded the recorded actions of the instrument.
   * @param isAdjusted whether the dividends are subtracted from the closes of the file.
   */
  async decide(
    recorded: readonly CorporateAction[],
    isAdjusted: boolean,
    closesAround: ClosesAround,
  ): Promise<DecidedActions> {
    if (this.#offers.size === 0) return { put: [], same: 0, leftOut: [] };
    const sorted = [...this.#offers.values()].sort((a, b) => a.action.exDay - b.action.exDay);
    const offered = sorted.map(({ action }) => action);
    const moves = await movesOf(offered, recorded, closesAround);
    const decided = sorted.map(({ action, isDisputed }) => {
      const isSubtracted = isAdjusted && !isFactorAction(action);
      const judged = isSubtracted ? 'closes-adjusted' : verdictOn(action, recorded, moves);
      return { action, verdict: isDisputed ? 'disputed' : judged };
    });
    return {
      put: decided.flatMap(({ action, verdict }) => (verdict === 'new' ? [action] : [])),
      same: decided.filter(({ verdict }) => verdict === 'same').length,
      leftOut: decided.flatMap(({ action, verdict }) =>
        verdict === 'new' || verdict === 'same' ? [] : [{ action, reason: verdict }],
      ),
    };
  }
}

/** How the closes of a file move with each split, of the file or recorded. */
type Moves = ReadonlyMap<FactorAction, 'moved' | 'stayed' | 'unclear'>;

async function movesOf(
  offered: readonly CorporateAction[],
  recorded: readonly CorporateAction[],
  closesAround: ClosesAround,
): Promise<Moves> {
  const moves = new Map<FactorAction, 'moved' | 'stayed' | 'unclear'>();
  for (const split of offered.filter(isFactorAction)) {
    moves.set(split, await moveOf(split, closesAround));
  }
  for (const split of recorded.filter(isFactorAction)) {
    // A recorded split that the file does not show says nothing about the file.
    const move = await moveOf(split, closesAround);
    if (move === 'stayed') moves.set(split, move);
  }
  return moves;
}

async function moveOf(
  split: FactorAction,
  closesAround: ClosesAround,
): Promise<'moved' | 'stayed' | 'unclear'> {
  const { exDay, factor } = split;
  const around = await closesAround(exDay);
  const move = moveAt(around, split);
  if (move !== 'stayed') return move;
  // The closes may move with it some days away. Then its day is in doubt, and they are not adjusted.
  const nearby = around.filter(({ day }) => Math.abs(day - exDay) <= sameSplitDays);
  const isElsewhere = nearby.some(({ day }) => moveAt(around, { exDay: day, factor }) === 'moved');
  return isElsewhere ? 'unclear' : 'stayed';
}

function verdictOn(
  action: CorporateAction,
  recorded: readonly CorporateAction[],
  moves: Moves,
): 'new' | 'same' | LeftOutReason {
  const compared = compareOffered(action, recorded);
  if (isFactorAction(action)) {
    const move = moves.get(action);
    if (move === 'stayed') return 'adjusted';
    if (compared === 'new') return move === 'moved' ? 'new' : 'unclear';
  } else if (compared !== 'same') {
    const isAsPaid = [...moves].every(
      ([{ exDay }, move]) => exDay <= action.exDay || move === 'moved',
    );
    if (!isAsPaid) return 'amount-adjusted';
  }
  return compared === 'different' ? 'recorded' : compared;
}

/**
 * Records the actions of a file in one transaction, after its closes. Another process may have recorded
 * some since the decision. What it has recorded is not replaced.
 *
 * @param now the time, in epoch milliseconds.
 */
export async function recordActions(
  store: Pick<ActionStore, 'readAll' | 'apply'>,
  { put, same, leftOut }: DecidedActions,
  now: number,
): Promise<Omit<FileActionCounts, 'rejected'>> {
  if (put.length === 0) return { added: 0, same, leftOut };
  const recorded = new CorporateActions((await store.readAll()).values);
  const compared = Map.groupBy(put, (action) => compareOffered(action, recorded.of(action.ticker)));
  const added = compared.get('new') ?? [];
  const different = compared.get('different') ?? [];
  if (added.length > 0) {
    await store.apply({ put: added }, { at: now, origin: 'import' });
  }
  return {
    added: added.length,
    same: same + (compared.get('same')?.length ?? 0),
    leftOut: [...leftOut, ...different.map((action) => ({ action, reason: 'recorded' as const }))],
  };
}
