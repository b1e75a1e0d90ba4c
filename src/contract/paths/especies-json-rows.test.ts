import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { instrumentKinds, type InstrumentKind } from '../../domain/instruments/instrument.ts';
import { instrumentTable } from './especies-json.ts';

const { instruments } = makeUniverse([
  { ticker: 'AAPL', name: 'Apple', kind: 'cedear', ratio: '20:1', underlying: 'AAPL_US' },
  { ticker: 'RIESGO PAIS', name: 'EMBI', kind: 'country-risk', market: 'NYSE' },
]);
const [cedear = assert.fail(), risk = assert.fail()] = instruments;
const rows = [
  {
    instrument: cedear,
    identity: {},
    source: { name: 'byma', delayMinutes: 20.5 },
    isStale: false,
  },
  {
    instrument: { ...risk, currency: 'bp', decimals: 0 },
    identity: {},
    source: undefined,
    isStale: false,
  },
];

test('contract 4.4.2: a row has the properties of the instrument, and what is known of receipt and source', () => {
  assert.equal(
    instrumentTable.plain.render(rows, 'json'),
    '[{"especie":"AAPL","nombre":"Apple","tipo":"cedear","mercado":"BYMA","moneda":"ARS",' +
      '"decimales":4,"unidadVariacion":"por-ciento","ratio":"20:1","subyacente":"AAPL_US",' +
      '"fuente":"byma","demoraMinutos":20.5},' +
      '{"especie":"RIESGO PAIS","nombre":"EMBI","tipo":"riesgo-pais","mercado":"NYSE","moneda":"bp",' +
      '"decimales":0,"unidadVariacion":"puntos"}]',
  );
});

test('contract 4.5.7: the delay of a source has a decimal comma, and the ratio stays a text', () => {
  assert.equal(
    instrumentTable.plain.render(rows, 'csv-comma'),
    'especie;nombre;tipo;mercado;moneda;decimales;unidadVariacion;ratio;subyacente;fuente;demoraMinutos\r\n' +
      'AAPL;Apple;cedear;BYMA;ARS;4;por-ciento;20:1;AAPL_US;byma;20,5\r\n' +
      'RIESGO PAIS;EMBI;riesgo-pais;NYSE;bp;0;puntos;;;;\r\n',
  );
});

test('contract 4.4.4: a field on request follows the others, in JSON and in CSV', () => {
  const table = instrumentTable.with(['pricePer']);
  const listed = [
    { instrument: { ...cedear, pricePer: 100 }, identity: {}, source: undefined, isStale: false },
  ];
  assert.equal(
    table.render(listed, 'json'),
    instrumentTable.plain.render(listed, 'json').replace('}]', ',"precioPor":100}]'),
  );
  assert.equal(
    table.render(listed, 'csv'),
    instrumentTable.plain
      .render(listed, 'csv')
      .replace('demoraMinutos\r\n', 'demoraMinutos,precioPor\r\n')
      .replace(',,\r\n', ',,,100\r\n'),
  );
});

test('contract 4.4.2: each kind has its own name', () => {
  const kinds = Object.keys(instrumentKinds) as InstrumentKind[];
  const listed = kinds.map((kind) => ({
    instrument: { ...risk, kind },
    identity: {},
    source: undefined,
    isStale: false,
  }));
  const shown = JSON.parse(instrumentTable.plain.render(listed, 'json')) as readonly {
    tipo: string;
  }[];
  assert.deepEqual(Object.fromEntries(kinds.map((kind, at) => [kind, shown[at]?.tipo])), {
    share: 'accion',
    cedear: 'cedear',
    adr: 'adr',
    etf: 'etf',
    bond: 'bono',
    'corporate-bond': 'obligacion-negociable',
    bill: 'letra',
    crypto: 'cripto',
    index: 'indice',
    'exchange-rate': 'tipo-de-cambio',
    'interest-rate': 'tasa',
    spread: 'brecha',
    'country-risk': 'riesgo-pais',
  });
});
