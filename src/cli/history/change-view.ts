import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { ChangedValue } from '../../domain/history/field-changes.ts';
import type { FieldChange } from '../../operator/history/change-log.ts';
import type { Reverted } from '../../operator/history/revert-change.ts';
import { formatExactNumber } from '../../operator/indices/stored-indices.ts';
import { actionValue } from '../actions/action-view.ts';

/** The column headings of {@link changeCells}. */
export const changeColumns = ['INSTANT', 'DATE', 'FIELD', 'BEFORE', 'AFTER', 'SOURCE', 'ORIGIN'];

/** A change as a row of a table. */
export function changeCells(change: FieldChange): string[] {
  const { by, day, field, before, after, source = '-' } = change;
  return [instant(by.at), fromEpochDay(day), field, cell(before), cell(after), source, by.origin];
}

/** A change for JSON output. */
export function changeObject({ by, day, field, before, after, source }: FieldChange) {
  return {
    instant: instant(by.at),
    date: fromEpochDay(day),
    field,
    before,
    after,
    source: source ?? null,
    origin: by.origin,
  };
}

/** What was put back, as a sentence. */
export function revertedText({ kind, subject, ...exchange }: Reverted, day: string): string {
  const [after, before] = valuesOf({ kind, subject, ...exchange } as Reverted);
  const what = { close: 'close', action: 'action', index: 'value' }[kind];
  const replaced = before === undefined ? 'which had been removed' : `which replaces ${before}`;
  return `Put back the ${what} ${after} of ${subject} of ${day}, ${replaced}.`;
}

/** What was put back, for JSON output. */
export function revertedObject(reverted: Reverted, day: string) {
  const { kind, subject, before = null, after } = reverted;
  return { kind, subject, date: day, before, after };
}

function valuesOf(reverted: Reverted): readonly [after: string, before: string | undefined] {
  switch (reverted.kind) {
    case 'close': {
      const { before, after } = reverted;
      return [`${after.close}`, before === undefined ? undefined : `${before.close}`];
    }
    case 'index': {
      const { before, after } = reverted;
      return [`${after.value}`, before === undefined ? undefined : `${before.value}`];
    }
    case 'action': {
      const { before, after } = reverted;
      return [
        `${after.type} ${actionValue(after)}`,
        before === undefined ? undefined : actionValue(before),
      ];
    }
  }
}

function cell(value: ChangedValue): string {
  if (value === null) return '-';
  return typeof value === 'number' ? formatExactNumber(value) : value;
}

function instant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
