import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { TableFormat } from '../table-format.ts';
import { inEventOrder } from '../../wire/texts/action-names.ts';
import { eventTable } from './eventos.ts';

const common = { ticker: 'X' as Ticker, exDay: 1 as EpochDay, source: 'test' };
/** One action of each type, in another order than that of the rows. */
const actions: readonly CorporateAction[] = [
  { ...common, type: 'ticker-change', newTicker: '=Y' as Ticker },
  { ...common, type: 'spin-off', factor: 2.376 },
  { ...common, type: 'rights-issue', factor: 1.1 },
  { ...common, type: 'ratio-change', factor: 0.5 },
  { ...common, type: 'cash-dividend', amount: 0.1, currency: 'USD' },
  { ...common, type: 'stock-dividend', factor: 1.09 },
  { ...common, type: 'split', factor: 1e-7 },
  { ...common, type: 'ticker-change', exDay: 0 as EpochDay, newTicker: 'X' as Ticker },
];

function eventList(all: readonly CorporateAction[], format: TableFormat): string {
  return eventTable.render(inEventOrder(all), format);
}

test('contract 2.8, 4.8.2: rows are ascending by date, and those of a date have the order of the types', () => {
  assert.equal(
    eventList(actions, 'json'),
    '[{"especie":"X","fecha":"1970-01-01","tipo":"cambio-ticker","detalle":"X"},' +
      '{"especie":"X","fecha":"1970-01-02","tipo":"split","factor":0.0000001},' +
      '{"especie":"X","fecha":"1970-01-02","tipo":"dividendo-acciones","factor":1.09},' +
      '{"especie":"X","fecha":"1970-01-02","tipo":"dividendo","importe":0.1,"moneda":"USD"},' +
      '{"especie":"X","fecha":"1970-01-02","tipo":"ratio","factor":0.5},' +
      '{"especie":"X","fecha":"1970-01-02","tipo":"suscripcion","factor":1.1},' +
      '{"especie":"X","fecha":"1970-01-02","tipo":"escision","factor":2.376},' +
      '{"especie":"X","fecha":"1970-01-02","tipo":"cambio-ticker","detalle":"=Y"}]',
  );
  assert.equal(eventList([], 'json'), '[]');
});

test('contract 4.5.7, 4.5.8: the CSV has decimal commas on request, and no text that is run as a formula', () => {
  assert.equal(
    eventList(actions, 'csv-comma'),
    'especie;fecha;tipo;factor;importe;moneda;detalle\r\n' +
      'X;1970-01-01;cambio-ticker;;;;X\r\n' +
      'X;1970-01-02;split;0,0000001;;;\r\n' +
      'X;1970-01-02;dividendo-acciones;1,09;;;\r\n' +
      'X;1970-01-02;dividendo;;0,1;USD;\r\n' +
      'X;1970-01-02;ratio;0,5;;;\r\n' +
      'X;1970-01-02;suscripcion;1,1;;;\r\n' +
      'X;1970-01-02;escision;2,376;;;\r\n' +
      "X;1970-01-02;cambio-ticker;;;;'=Y\r\n",
  );
});
