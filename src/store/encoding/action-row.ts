import type { CorporateAction } from '../../domain/history/corporate-action.ts';
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
export function fromActionRow(path: string, row: ActionRow): CorporateAction {
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
