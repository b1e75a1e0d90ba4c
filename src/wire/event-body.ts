import type { ActionType, CorporateAction } from '../domain/corporate-action.ts';
import { fromEpochDay } from '../domain/plain-date.ts';
import { Table } from './table.ts';
import type { TableFormat } from './table-format.ts';

/** The value of `tipo` for each type of action, in the order of the actions of one day (contract 2.8). */
const typeNames: Readonly<Record<ActionType, string>> = {
  split: 'split',
  'stock-dividend': 'dividendo-acciones',
  'cash-dividend': 'dividendo',
  'ratio-change': 'ratio',
  'ticker-change': 'cambio-ticker',
};

const order = Object.keys(typeNames);

/** The fields of an action in the order of contract 2.8. */
const table = new Table<CorporateAction>({
  especie: { column: 'text', value: ({ ticker }) => ticker },
  fecha: { column: 'text', value: ({ exDay }) => fromEpochDay(exDay) },
  tipo: { column: 'text', value: ({ type }) => typeNames[type] },
  factor: { column: 'number', value: (action) => ('factor' in action ? action.factor : undefined) },
  importe: {
    column: 'number',
    value: (action) => ('amount' in action ? action.amount : undefined),
  },
  moneda: {
    column: 'text',
    value: (action) => ('currency' in action ? action.currency : undefined),
  },
  detalle: {
    column: 'text',
    value: (action) => ('newTicker' in action ? action.newTicker : undefined),
  },
});

/** The corporate actions of one instrument, ascending by date, and by type within a day (contract 4.8). */
export function eventList(actions: readonly CorporateAction[], format: TableFormat): string {
  const sorted = actions.toSorted(
    (a, b) => a.exDay - b.exDay || order.indexOf(a.type) - order.indexOf(b.type),
  );
  return table.render(sorted, format);
}
