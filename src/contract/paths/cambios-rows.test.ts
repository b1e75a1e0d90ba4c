import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import { changeOrigins } from '../../domain/changes/version.ts';
import type { ChangedField, FieldChange } from '../../domain/history/field-changes.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { changeTable, indexChangeTable } from './cambios.ts';

const change: FieldChange & { readonly ticker: Ticker } = {
  by: { at: Date.UTC(2026, 10, 20, 13, 5, 12, 480), origin: 'import' },
  day: 20_000 as EpochDay,
  ticker: 'YPFD' as Ticker,
  field: 'close',
  before: 0.000_000_1,
  after: -41_250.5,
  source: undefined,
};

function column(name: string, changes: readonly (typeof change)[]): readonly unknown[] {
  const rows = JSON.parse(changeTable.render(changes, 'json')) as readonly Record<
    string,
    unknown
  >[];
  return rows.map((row) => row[name]);
}

test('contract 4.19: a row has all fields in order, and its numbers have all decimals without an exponent', () => {
  assert.equal(
    changeTable.render([change], 'json'),
    '[{"instante":"2026-11-20T13:05:12.480Z","especie":"YPFD","fecha":"2024-10-04","campo":"ultimo",' +
      '"antes":0.0000001,"despues":-41250.5,"fuente":null,"origen":"importacion"}]',
  );
  const { ticker: _, ...rest } = change;
  assert.match(
    indexChangeTable.render([{ ...rest, index: 'CER', field: 'value', source: 'bcra' }], 'json'),
    /"indice":"CER","fecha":"2024-10-04","campo":"valor",.*"fuente":"bcra"/,
  );
});

test('contract 4.19.3: each field has its public name', () => {
  const fields: readonly ChangedField[] = [
    ...(['close', 'open', 'high', 'low', 'volume', 'source', 'value'] as const),
    ...(['split', 'stock-dividend', 'cash-dividend', 'ratio-change', 'ticker-change'] as const),
  ];
  assert.deepEqual(
    column(
      'campo',
      fields.map((field) => ({ ...change, field })),
    ),
    'ultimo apertura maximo minimo volumen fuente valor split dividendo-acciones dividendo ratio cambio-ticker'.split(
      ' ',
    ),
  );
});

test('contract 4.19.3: a term has the name that /especies.json gives it', () => {
  const fields: readonly ChangedField[] = ['rates', 'amortisation', 'flowCurrency', 'termsState'];
  assert.deepEqual(
    column(
      'campo',
      fields.map((field) => ({ ...change, field })),
    ),
    ['tasa', 'amortizacion', 'monedaPagos', 'terminos'],
  );
});

test('contract 4.19.4: each origin has its public name', () => {
  const changes = changeOrigins.map((origin) => ({ ...change, by: { at: 0, origin } }));
  assert.deepEqual(
    Object.fromEntries(changeOrigins.map((origin, at) => [origin, column('origen', changes)[at]])),
    {
      import: 'importacion',
      fetch: 'descarga',
      session: 'rueda',
      confirm: 'confirmacion',
      revert: 'reversion',
      remove: 'eliminacion',
      universe: 'universo',
      demonstration: 'demostracion',
      unknown: 'desconocido',
    },
  );
});

test('contract 4.5.7, 4.5.8: a decimal comma changes the numbers, and no text', () => {
  const texts = { before: '12.5 ARS', after: '=1.5', source: 'a;b.csv' };
  assert.equal(
    changeTable
      .render([change, { ...change, ...texts }], 'csv-comma')
      .split('\r\n')
      .slice(1)
      .join('\n'),
    '2026-11-20T13:05:12.480Z;YPFD;2024-10-04;ultimo;0,0000001;-41250,5;;importacion\n' +
      `2026-11-20T13:05:12.480Z;YPFD;2024-10-04;ultimo;12.5 ARS;'=1.5;"a;b.csv";importacion\n`,
  );
});
