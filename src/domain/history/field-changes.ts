import type { StoreChange, Version } from '../changes/version.ts';
import type { EpochDay } from '../calendar/plain-date.ts';
import type { TermsField } from '../instruments/issue-terms.ts';
import type { Ticker } from '../instruments/ticker.ts';
import {
  actionKey,
  isFactorAction,
  type ActionType,
  type CorporateAction,
} from './corporate-action.ts';
import type { DailyClose } from './daily-close.ts';
import type { ActionVersion, CloseVersion } from './versions.ts';

/** A field whose value a change has replaced: of a close, of the value of an index, a term, or what an action says. */
export type ChangedField =
  | keyof Pick<DailyClose, 'close' | 'open' | 'high' | 'low' | 'volume' | 'source'>
  | 'value'
  | ActionType
  | TermsField;

/** A value of a field. Null stands for none. */
export type ChangedValue = number | string | null;

/** One field of one day that a change of the store has replaced. */
export interface FieldChange {
  readonly by: StoreChange;
  readonly day: EpochDay;
  readonly field: ChangedField;
  readonly before: ChangedValue;
  readonly after: ChangedValue;
  /** The source of the new value, or of the last one if there is none any more. */
  readonly source: string | undefined;
}

/** A change of an action, which is stored under the ticker of its day. */
export type ActionChange = FieldChange & { readonly ticker: Ticker };

/** The fields of a close, in the order in which their changes are listed. */
const closeFields = ['close', 'open', 'high', 'low', 'volume', 'source'] as const;

/** The changes of the closes of an instrument ({@link dayChanges}). */
export function closeChanges(versions: readonly CloseVersion[]): readonly FieldChange[] {
  return dayChanges(versions, closeFields);
}

/**
 * The changes of the values of days: one for each field that differs from the value before. The first value of a
 * day is no change. A value that was removed, and one that was stored after that, are changes.
 *
 * @param versions for each day in the order in which they were stored
 */
export function dayChanges<Field extends ChangedField>(
  versions: readonly Version<DayRow<Field>>[],
  fields: readonly Field[],
): readonly FieldChange[] {
  return replacements(versions, ({ day }) => day).flatMap((one) => {
    const { day, source } = valueOf(one);
    return fields.flatMap((field) =>
      differences({ by: one.by, day, source, field }, one, (row) => row[field] ?? null),
    );
  });
}

/** What is stored for a day. */
type DayRow<Field extends ChangedField> = {
  readonly day: EpochDay;
  readonly source?: string;
} & Readonly<Partial<Record<Field, number | string | null>>>;

/**
 * The changes of corporate actions. An action that is added changes the adjusted closes of all days before it,
 * so the first value of an action is a change, too, unless it was stored before changes were kept.
 *
 * @param versions for each action in the order in which they were stored
 */
export function actionChanges(versions: readonly ActionVersion[]): readonly ActionChange[] {
  const added = firstOfEach(versions, actionKey)
    .filter(({ stored }) => stored.origin !== 'unknown')
    .map(({ value, stored }) => ({ by: stored, before: undefined, after: value }));
  return [...added, ...replacements(versions, actionKey)].flatMap((one) => {
    const { ticker, exDay: day, type: field, source } = valueOf(one);
    const changed = differences({ by: one.by, day, source, field }, one, actionValue);
    return changed.map((change) => ({ ...change, ticker }));
  });
}

/** The changes with the latest first. Those of one instant are descending by day. */
export function newestFirst<Change extends FieldChange>(
  changes: readonly Change[],
): readonly Change[] {
  return changes.toSorted((a, b) => b.by.at - a.by.at || b.day - a.day);
}

/** A value that another one has replaced, or that was removed, or that was stored after a removal. */
export interface Replacement<T> {
  readonly by: StoreChange;
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/**
 * The replacements within versions.
 *
 * @param versions for each key in the order in which they were stored
 */
export function replacements<T>(
  versions: readonly Version<T>[],
  keyOf: (value: T) => string | number,
): readonly Replacement<T>[] {
  const found: Replacement<T>[] = [];
  for (const ofOne of Map.groupBy(versions, ({ value }) => keyOf(value)).values()) {
    for (const [index, { value: before, replaced }] of ofOne.entries()) {
      if (replaced === undefined) continue;
      const next = ofOne[index + 1];
      if (next?.stored.at === replaced.at) {
        found.push({ by: replaced, before, after: next.value });
        continue;
      }
      found.push({ by: replaced, before, after: undefined });
      if (next !== undefined) found.push({ by: next.stored, before: undefined, after: next.value });
    }
  }
  return found;
}

/** The first version of each key. */
export function firstOfEach<T>(
  versions: readonly Version<T>[],
  keyOf: (value: T) => string | number,
): readonly Version<T>[] {
  return [...Map.groupBy(versions, ({ value }) => keyOf(value)).values()].flatMap(([first]) =>
    first === undefined ? [] : [first],
  );
}

/** The value that is stored now, or the last one. */
export function valueOf<T>({ before, after }: Replacement<T>): T {
  const value = after ?? before;
  if (value === undefined) throw new Error('a replacement has a value');
  return value;
}

/** The change of a field, if the field has changed. */
export function differences<T>(
  change: Omit<FieldChange, 'before' | 'after'>,
  replacement: Replacement<T>,
  read: (value: T) => ChangedValue,
): readonly FieldChange[] {
  const [before, after] = [replacement.before, replacement.after].map((value) =>
    value === undefined ? null : read(value),
  ) as [ChangedValue, ChangedValue];
  return before === after ? [] : [{ ...change, before, after }];
}

/** What an action says, in one value: a cash dividend is its amount with the currency. */
function actionValue(action: CorporateAction): ChangedValue {
  if (isFactorAction(action)) return action.factor;
  switch (action.type) {
    case 'cash-dividend':
      return `${action.amount} ${action.currency}`;
    case 'ticker-change':
      return action.newTicker;
  }
}
