import type {
  ActionType,
  CashDividend,
  CorporateAction,
  TickerChange,
  UnitAction,
} from '../../domain/history/corporate-action.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { numberColumn, textColumn } from '../texts/csv-text.ts';
import { Table } from './table.ts';
import type { TableFormat } from '../params/table-format.ts';

/** The value of `tipo` for each type of action, in the order of the actions of one day (contract 2.8). */
export const actionNames: Readonly<Record<ActionType, string>> = {
  split: 'split',
  'stock-dividend': 'dividendo-acciones',
  'cash-dividend': 'dividendo',
  'ratio-change': 'ratio',
  'ticker-change': 'cambio-ticker',
};

const order = Object.keys(actionNames);

/** An action with the fields of all types. */
interface AnyAction
  extends
    Pick<CorporateAction, 'ticker' | 'exDay' | 'type'>,
    Partial<Pick<UnitAction, 'factor'>>,
    Partial<Pick<CashDividend, 'amount' | 'currency'>>,
    Partial<Pick<TickerChange, 'newTicker'>> {}

/** The fields of an action in the order of contract 2.8. */
const table = new Table<AnyAction>({
  especie: { column: textColumn, value: ({ ticker }) => ticker },
  fecha: { column: textColumn, value: ({ exDay }) => fromEpochDay(exDay) },
  tipo: { column: textColumn, value: ({ type }) => actionNames[type] },
  factor: { column: numberColumn, value: ({ factor }) => factor },
  importe: { column: numberColumn, value: ({ amount }) => amount },
  moneda: { column: textColumn, value: ({ currency }) => currency },
  detalle: { column: textColumn, value: ({ newTicker }) => newTicker },
});

/** The corporate actions of one instrument, ascending by date, and by type within a day (contract 4.8). */
export function eventList(actions: readonly CorporateAction[], format: TableFormat): string {
  return eventTable(inEventOrder(actions), format);
}

/** Corporate actions in the order given. */
export function eventTable(actions: readonly CorporateAction[], format: TableFormat): string {
  return table.render(actions, format);
}

/** The actions ascending by date, and by type within a day. */
export function inEventOrder(actions: readonly CorporateAction[]): readonly CorporateAction[] {
  return actions.toSorted(
    (a, b) => a.exDay - b.exDay || order.indexOf(a.type) - order.indexOf(b.type),
  );
}
