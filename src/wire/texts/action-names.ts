import type { ActionType, CorporateAction } from '../../domain/history/corporate-action.ts';

/** The value of `tipo` for each type of action, in the order of the actions of one day (contract 2.8). */
export const actionNames = {
  split: 'split',
  'stock-dividend': 'dividendo-acciones',
  'cash-dividend': 'dividendo',
  'ratio-change': 'ratio',
  'rights-issue': 'suscripcion',
  'spin-off': 'escision',
  'ticker-change': 'cambio-ticker',
} as const satisfies Readonly<Record<ActionType, string>>;

const order = Object.keys(actionNames);

/** The actions ascending by date, and by type within a day. */
export function inEventOrder(actions: readonly CorporateAction[]): readonly CorporateAction[] {
  return actions.toSorted(
    (a, b) => a.exDay - b.exDay || order.indexOf(a.type) - order.indexOf(b.type),
  );
}
