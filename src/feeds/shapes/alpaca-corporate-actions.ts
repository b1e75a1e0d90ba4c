import {
  actionKey,
  isFactor,
  type CorporateAction,
} from '../../domain/history/corporate-action.ts';
import { toEpochDay } from '../../domain/calendar/plain-date.ts';
import { withoutBinaryError } from '../../domain/values/rounding.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { asRecord, fieldsOf, isPrice, listOf, dateIn } from './as-record.ts';

/** How the symbols of the source are read. */
interface AlpacaNames {
  /** The instrument of a symbol; undefined if it is not in the universe. */
  readonly tickerOf: (symbol: string) => Ticker | undefined;
  /** The ticker of a symbol that may no longer be listed. */
  readonly nameOf: (symbol: string) => Ticker;
  readonly source: string;
}

/** The actions of a response, the path of each one that cannot be read, and the symbols left out. */
export interface AlpacaActions {
  readonly actions: readonly CorporateAction[];
  readonly unread: readonly string[];
  readonly unknown: ReadonlySet<string>;
}

type Read = (row: Readonly<Record<string, unknown>>) => Change | undefined;

/** An action without its instrument, day and source. */
type Change =
  | { readonly type: 'split' | 'stock-dividend'; readonly factor: number }
  | { readonly type: 'cash-dividend'; readonly amount: number; readonly currency: string };

const readSplit: Read = ({ new_rate: fresh, old_rate: old }) =>
  isPrice(fresh) && isPrice(old) && isFactor(fresh / old)
    ? { type: 'split', factor: fresh / old }
    : undefined;

/** The lists of the response that are read, except those that rename. The source pays in dollars. */
const readers: Readonly<Record<string, Read>> = {
  forward_splits: readSplit,
  reverse_splits: readSplit,
  stock_dividends: ({ rate }) =>
    isPrice(rate) && isFactor(1 + rate) ? { type: 'stock-dividend', factor: 1 + rate } : undefined,
  cash_dividends: ({ rate, currency }) =>
    isPrice(rate)
      ? {
          type: 'cash-dividend',
          amount: rate,
          currency: typeof currency === 'string' ? currency : 'USD',
        }
      : undefined,
};

/**
 * The corporate actions of a response of Alpaca's `/v1/corporate-actions`. Spin-offs, mergers and other
 * types are not read. An ordinary and a special dividend of one day are one action, their sum.
 */
export function actionsOfAlpaca(
  body: unknown,
  { tickerOf, nameOf, source }: AlpacaNames,
): AlpacaActions {
  const lists = fieldsOf(asRecord(body)?.['corporate_actions']);
  const actions = new Map<string, CorporateAction>();
  const unread: string[] = [];
  const unknown = new Set<string>();
  const add = (action: CorporateAction): void => {
    const key = actionKey(action);
    actions.set(key, sumOf(actions.get(key), action));
  };
  for (const [name, read] of Object.entries(readers)) {
    for (const [index, row] of listOf(lists[name]).map(fieldsOf).entries()) {
      const { symbol, ex_date: date } = row;
      const exDate = dateIn(date);
      const change = read(row);
      if (typeof symbol !== 'string' || exDate === undefined || change === undefined) {
        unread.push(`corporate_actions.${name}[${index}]`);
        continue;
      }
      const ticker = tickerOf(symbol);
      if (ticker === undefined) unknown.add(symbol);
      else add({ ticker, exDay: toEpochDay(exDate), source, ...change });
    }
  }
  for (const [index, row] of listOf(lists['name_changes']).map(fieldsOf).entries()) {
    const { old_symbol: old, new_symbol: fresh, process_date: date } = row;
    const exDate = dateIn(date);
    if (typeof old !== 'string' || typeof fresh !== 'string' || exDate === undefined) {
      unread.push(`corporate_actions.name_changes[${index}]`);
      continue;
    }
    // A change of the company's name keeps the symbol.
    if (old === fresh) continue;
    if (tickerOf(old) === undefined && tickerOf(fresh) === undefined) {
      unknown.add(fresh);
      continue;
    }
    const base = { ticker: nameOf(old), exDay: toEpochDay(exDate), source };
    add({ ...base, type: 'ticker-change', newTicker: nameOf(fresh) });
  }
  return { actions: [...actions.values()], unread, unknown };
}

function sumOf(before: CorporateAction | undefined, action: CorporateAction): CorporateAction {
  if (before?.type !== 'cash-dividend' || action.type !== 'cash-dividend') return action;
  if (before.currency !== action.currency) return action;
  return { ...action, amount: withoutBinaryError(before.amount + action.amount) };
}
