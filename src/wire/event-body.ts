import type { ActionType, CorporateAction } from '../domain/corporate-action.ts';
import { fromEpochDay } from '../domain/plain-date.ts';
import { csvLine } from './csv-text.ts';
import { formatExactNumber } from './number.ts';

/** The value of `tipo` for each type of action (contract 2.7). */
const typeNames: Readonly<Record<ActionType, string>> = {
  split: 'split',
  'stock-dividend': 'dividendo-acciones',
  'cash-dividend': 'dividendo',
  'ratio-change': 'ratio',
  'ticker-change': 'cambio-ticker',
};

/** The order of the actions of one day. */
const order = Object.keys(typeNames);

/** A row of `/eventos`. Absent fields are null. `factor` and `importe` are the text of a number. */
interface EventRow {
  readonly especie: string;
  readonly fecha: string;
  readonly tipo: string;
  readonly factor: string | null;
  readonly importe: string | null;
  readonly moneda: string | null;
  readonly detalle: string | null;
}

/** The corporate actions of one instrument as a JSON array (contract 4.4.1). */
export function eventListJson(actions: readonly CorporateAction[]): string {
  const rows = rowsOf(actions).map(({ especie, fecha, tipo, factor, importe, moneda, detalle }) => {
    const members = [
      `"especie":${JSON.stringify(especie)}`,
      `"fecha":"${fecha}"`,
      `"tipo":"${tipo}"`,
      factor === null ? [] : `"factor":${factor}`,
      importe === null ? [] : `"importe":${importe}`,
      moneda === null ? [] : `"moneda":${JSON.stringify(moneda)}`,
      detalle === null ? [] : `"detalle":${JSON.stringify(detalle)}`,
    ];
    return `{${members.flat().join(',')}}`;
  });
  return `[${rows.join(',')}]`;
}

const header = csvLine(['especie', 'fecha', 'tipo', 'factor', 'importe', 'moneda', 'detalle']);

/** The same as CSV, with a header row (contract 4.5.3). */
export function eventListCsv(actions: readonly CorporateAction[]): string {
  return (
    header +
    rowsOf(actions)
      .map((row) => csvLine(Object.values(row)))
      .join('')
  );
}

/** Ascending by date, and by type within a day. */
function rowsOf(actions: readonly CorporateAction[]): readonly EventRow[] {
  return actions
    .toSorted((a, b) => a.exDay - b.exDay || order.indexOf(a.type) - order.indexOf(b.type))
    .map((action) => ({
      especie: action.ticker,
      fecha: fromEpochDay(action.exDay),
      tipo: typeNames[action.type],
      factor: 'factor' in action ? formatExactNumber(action.factor) : null,
      importe: 'amount' in action ? formatExactNumber(action.amount) : null,
      moneda: 'currency' in action ? action.currency : null,
      detalle: 'newTicker' in action ? action.newTicker : null,
    }));
}
