import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { ChangeOrigin } from '../../domain/changes/version.ts';
import type { ActionVersion } from '../../domain/history/versions.ts';
import { damaged } from './damaged.ts';

/** The columns of an action, in the order of {@link ActionRow}. */
export const actionColumns = [
  'ticker',
  'ex_day',
  'type',
  'factor',
  'amount',
  'currency',
  'new_ticker',
  'source',
] as const;

/** An action as a row of the database. */
export type ActionRow = readonly [
  ticker: string,
  exDay: number,
  type: string,
  factor: number | null,
  amount: number | null,
  currency: string | null,
  newTicker: string | null,
  source: string,
];

/** The columns of a stored action, in the order of {@link StoredActionRow}. */
export const storedActionColumns = [...actionColumns, 'stored_at', 'stored_by'] as const;

/** An action with the change that stored it. */
export type StoredActionRow = readonly [...ActionRow, storedAt: number, storedBy: string];

/** The columns of an action that was replaced or removed, in the order of {@link ReplacedActionRow}. */
export const replacedActionColumns = [
  ...storedActionColumns,
  'replaced_at',
  'replaced_by',
] as const;

/** An action that was replaced or removed, as a row of the database. */
export type ReplacedActionRow = readonly [
  ...StoredActionRow,
  replacedAt: number,
  replacedBy: string,
];

/**
 * The versions of actions from their rows: those that were replaced, in the order in which they were, and those
 * that are stored.
 */
export function actionVersions(
  path: string,
  rows: {
    readonly stored: readonly StoredActionRow[];
    readonly replaced: readonly ReplacedActionRow[];
  },
): readonly ActionVersion[] {
  const versionOf = (row: StoredActionRow | ReplacedActionRow): ActionVersion => {
    const [ticker, exDay, type, factor, amount, currency, newTicker, source] = row;
    const [, , , , , , , , storedAt, storedBy, replacedAt, replacedBy] = row;
    return {
      value: fromActionRow(path, [
        ticker,
        exDay,
        type,
        factor,
        amount,
        currency,
        newTicker,
        source,
      ]),
      stored: { at: storedAt, origin: storedBy as ChangeOrigin },
      ...(replacedAt === undefined
        ? {}
        : { replaced: { at: replacedAt, origin: replacedBy as ChangeOrigin } }),
    };
  };
  // Sorting is stable, so the versions of one action stay in their order.
  return [...rows.replaced, ...rows.stored].map(versionOf).sort((a, b) => byKey(a.value, b.value));
}

/** By ticker, ex date and type, as the database orders them. */
function byKey(a: CorporateAction, b: CorporateAction): number {
  return (
    Buffer.compare(Buffer.from(a.ticker), Buffer.from(b.ticker)) ||
    a.exDay - b.exDay ||
    Buffer.compare(Buffer.from(a.type), Buffer.from(b.type))
  );
}

/** The rows of versions: of those that are stored, and of those that were replaced. */
export function rowsOfActionVersions(versions: readonly ActionVersion[]): {
  readonly stored: readonly StoredActionRow[];
  readonly replaced: readonly ReplacedActionRow[];
} {
  const stored: StoredActionRow[] = [];
  const replaced: ReplacedActionRow[] = [];
  for (const version of versions) {
    const { at, origin } = version.stored;
    const row: StoredActionRow = [...toActionRow(version.value), at, origin];
    const end = version.replaced;
    if (end === undefined) stored.push(row);
    else replaced.push([...row, end.at, end.origin]);
  }
  return { stored, replaced };
}

/**
 * The row of an action.
 *
 * @throws RangeError when the factor or the amount is not a number above zero.
 */
export function toActionRow(action: CorporateAction): ActionRow {
  const { ticker, exDay, type, source } = action;
  switch (type) {
    case 'split':
    case 'stock-dividend':
    case 'ratio-change':
      return [ticker, exDay, type, positive('factor', action.factor), null, null, null, source];
    case 'cash-dividend': {
      const amount = positive('amount', action.amount);
      return [ticker, exDay, type, null, amount, action.currency, null, source];
    }
    case 'ticker-change':
      return [ticker, exDay, type, null, null, null, action.newTicker, source];
  }
}

/**
 * The action of a row.
 *
 * @throws StoreFault `corrupt` when the row lacks what its type has.
 */
export function fromActionRow(path: string, row: ActionRow | StoredActionRow): CorporateAction {
  const [ticker, exDay, type, factor, amount, currency, newTicker, source] = row;
  const base = { ticker, exDay, type, source };
  if (factor !== null) return { ...base, factor } as CorporateAction;
  if (amount !== null && currency !== null) return { ...base, amount, currency } as CorporateAction;
  if (newTicker !== null) return { ...base, newTicker } as CorporateAction;
  throw damaged(path, `the corporate action ${ticker} ${exDay} ${type} is incomplete`);
}

/** SQLite would silently store NaN as null. */
function positive(name: string, value: number): number {
  if (value > 0 && Number.isFinite(value)) return value;
  throw new RangeError(`the ${name} of an action cannot be ${value}`);
}
