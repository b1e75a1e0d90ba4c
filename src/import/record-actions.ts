import { CorporateActions } from '../domain/history/corporate-actions.ts';
import { compareOffered } from '../domain/history/offered-action.ts';
import type { ActionStore } from '../store/contract/action-store.ts';
import type { DecidedActions } from './actions/file-actions.ts';
import type { FileActionCounts } from './reports/import-summary.ts';

/** What becomes of the actions of a file, apart from the cells that are none. */
type Outcome = Omit<FileActionCounts, 'rejected'>;

/** The outcome if nothing has changed since the decision. */
export function outcomeOf({ put, same, leftOut }: DecidedActions): Outcome {
  return { added: put.length, same, leftOut };
}

/**
 * Records the actions of a file in one transaction, after its closes. Another process may have recorded
 * some since the decision. What it has recorded is not replaced.
 *
 * @param now the time, in epoch milliseconds.
 */
export async function recordActions(
  store: Pick<ActionStore, 'readAll' | 'apply'>,
  decided: DecidedActions,
  now: number,
): Promise<Outcome> {
  const { put, same, leftOut } = decided;
  if (put.length === 0) return outcomeOf(decided);
  const recorded = new CorporateActions((await store.readAll()).actions);
  const compared = Map.groupBy(
    put.map(({ action }) => action),
    (action) => compareOffered(action, recorded.of(action.ticker)),
  );
  const added = compared.get('new') ?? [];
  const different = compared.get('different') ?? [];
  if (added.length > 0) {
    await store.apply({ put: added, remove: [] }, { at: now, origin: 'import' });
  }
  return {
    added: added.length,
    same: same + (compared.get('same')?.length ?? 0),
    leftOut: [...leftOut, ...different.map((action) => ({ action, reason: 'recorded' as const }))],
  };
}
