import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import {
  leftOutReasons,
  type FileActionCounts,
  type FileResult,
} from '../../operator/history/import-history.ts';
import { actionValue } from '../actions/action-view.ts';
import { formatColumns } from './named-columns.ts';

/** Maximum number of corporate actions that are shown for a reason without `--verbose`. */
const actionsShownMax = 20;

/** What was done with the columns of dividends and splits, or nothing if there are none. */
export function actionsPart(
  columns: readonly string[],
  actions: FileActionCounts | undefined,
): string {
  if (actions === undefined) {
    const hint = columns.length === 0 ? '' : ' (--actions records them)';
    return `${formatColumns('dividends and splits not read', columns)}${hint}`;
  }
  if (columns.length === 0) return '; no column of dividends or splits';
  const { added, same, rejected, leftOut } = actions;
  return `; corporate actions: ${formatActionCounts({ added, same, rejected, leftOut: leftOut.length })}`;
}

/** `added 3, same 0, rejected 0, left out 2` */
function formatActionCounts(counts: ActionTotals): string {
  const { added, same, rejected, leftOut } = counts;
  const texts = [`added ${added.toLocaleString('en')}`, `same ${same.toLocaleString('en')}`];
  texts.push(
    `rejected ${rejected.toLocaleString('en')}`,
    `left out ${leftOut.toLocaleString('en')}`,
  );
  return texts.join(', ');
}

interface ActionTotals {
  readonly added: number;
  readonly same: number;
  readonly rejected: number;
  readonly leftOut: number;
}

/** The corporate actions that were left out, each reason once with its actions, and the sums of all files. */
export function actionLines(files: readonly FileResult[], verbose: boolean): readonly string[] {
  const counts = files.flatMap((file) =>
    file.outcome === 'imported' && file.actions !== undefined ? [file.actions] : [],
  );
  if (counts.length === 0) return [];
  const leftOut = counts.flatMap((one) => one.leftOut);
  const lines: string[] = [];
  for (const [reason, list] of Map.groupBy(leftOut, (one) => one.reason)) {
    const shown = verbose ? list : list.slice(0, actionsShownMax);
    lines.push(`Corporate actions left out: ${leftOutReasons[reason]}:`);
    for (const { action } of shown) lines.push(`  ${formatAction(action)}`);
    const hidden = list.length - shown.length;
    if (hidden > 0) lines.push(`  and ${hidden.toLocaleString('en')} more (--verbose)`);
  }
  const sum = (of: 'added' | 'same' | 'rejected') =>
    counts.reduce((total, one) => total + one[of], 0);
  const totals = {
    added: sum('added'),
    same: sum('same'),
    rejected: sum('rejected'),
    leftOut: leftOut.length,
  };
  return [...lines, `Corporate actions: ${formatActionCounts(totals)}.`];
}

/** `AAPL_US 2020-08-31: split, 4 new for 1 old units` */
function formatAction(action: CorporateAction): string {
  const { ticker, exDay, type } = action;
  return `${ticker} ${fromEpochDay(exDay)}: ${type}, ${actionValue(action)}`;
}
