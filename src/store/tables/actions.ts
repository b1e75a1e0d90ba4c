import { isFactorAction, type CorporateAction } from '../../domain/history/corporate-action.ts';
import type { ActionKey } from '../contract/versioned-stores.ts';
import type { VersionedTable } from '../versioned-table.ts';

/** An action names its instrument by the ticker, because it may precede the first close. */
export const actionTable: VersionedTable<CorporateAction, ActionKey> = {
  subject: 'actions',
  name: 'corporate_actions',
  key: ['ticker', 'ex_day', 'type'],
  columns: {
    ticker: 'text',
    ex_day: 'integer',
    type: 'text',
    factor: 'real?',
    amount: 'real?',
    currency: 'text?',
    new_ticker: 'text?',
    source: 'text',
  },
  keyOf: ({ ticker, exDay, type }) => [ticker, exDay, type],
  toRow(action) {
    const { ticker, exDay, type, source } = action;
    if (isFactorAction(action)) {
      return [ticker, exDay, type, positive('factor', action.factor), null, null, null, source];
    }
    switch (action.type) {
      case 'cash-dividend': {
        const amount = positive('amount', action.amount);
        return [ticker, exDay, type, null, amount, action.currency, null, source];
      }
      case 'ticker-change':
        return [ticker, exDay, type, null, null, null, action.newTicker, source];
    }
  },
  fromRow([ticker, exDay, type, factor, amount, currency, newTicker, source], damaged) {
    const base = { ticker, exDay, type, source };
    if (factor !== null) return { ...base, factor } as CorporateAction;
    if (amount !== null && currency !== null) {
      return { ...base, amount, currency } as CorporateAction;
    }
    if (newTicker !== null) return { ...base, newTicker } as CorporateAction;
    const key = [ticker, exDay, type].join(' ');
    throw damaged(`the corporate action ${key} is incomplete`);
  },
};

/** SQLite would silently store NaN as null. */
function positive(name: string, value: number): number {
  if (value > 0 && Number.isFinite(value)) return value;
  throw new RangeError(`the ${name} of an action cannot be ${value}`);
}
