import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordedBatch, RejectionReason } from '../contract/feed.ts';
import { mapDolarapiLine } from './dolarapi.ts';

const committedAt = '2025-07-01T09:01:40-03:00';
const sourceInstant = '2025-07-01T11:55:00.000Z';
const recordedAt = Date.parse(committedAt);
const at = Date.parse(sourceInstant);

function map(...data: readonly unknown[]): RecordedBatch {
  const mapped = mapDolarapiLine(JSON.stringify({ commit: 'c', committedAt, path: 'p', data }));
  assert.equal(mapped.at, recordedAt);
  return mapped;
}

function dollar(casa: string, rest: object = {}): object {
  const base = { moneda: 'USD', casa, nombre: casa, compra: 1165, venta: 1215 };
  return { ...base, fechaActualizacion: sourceInstant, ...rest };
}

function belo(rest: object = {}): object {
  const base = { exchange: 'belo', moneda: 'USD', monedaBase: 'BTC', criptomoneda: 'USDT' };
  return { ...base, criptomonedaBase: null, compra: 94_386, venta: 92_518, ...rest };
}

function reasons(...data: readonly unknown[]): readonly RejectionReason[] {
  const { updates, rejected } = map(...data);
  assert.deepEqual(updates, []);
  return rejected.map(({ reason }) => reason);
}

/** The instants of a snapshot of two rates, for given recorded instants. */
function instants(
  path: string,
  recorded: string,
  stamps: readonly [string, string] = [sourceInstant, sourceInstant],
): readonly string[] {
  const data = ['blue', 'mayorista'].map((casa, index) => ({
    ...dollar(casa, { compra: undefined }),
    fechaActualizacion: stamps[index],
  }));
  const mapped = mapDolarapiLine(JSON.stringify({ committedAt: recorded, path, data }));
  return mapped.updates.map((update) => new Date(update.at).toISOString());
}

test("every dollar rate is mapped to its instrument, at the source's instant", () => {
  const { updates, rejected } = map(
    ...['oficial', 'blue', 'bolsa', 'contadoconliqui', 'mayorista', 'cripto', 'tarjeta'].map(
      (casa) => dollar(casa),
    ),
  );
  assert.deepEqual(rejected, []);
  assert.deepEqual(updates, [
    { ticker: 'DOLAR OFICIAL COMPRA', at, last: 1165, bid: 1165, ask: 1215 },
    { ticker: 'DOLAR OFICIAL VENTA', at, last: 1215, bid: 1165, ask: 1215 },
    { ticker: 'DOLAR BLUE COMPRA', at, last: 1165, bid: 1165, ask: 1215 },
    { ticker: 'DOLAR BLUE VENTA', at, last: 1215, bid: 1165, ask: 1215 },
    { ticker: 'DOLAR MEP', at, last: 1215, bid: 1165, ask: 1215 },
    { ticker: 'DOLAR CCL', at, last: 1215, bid: 1165, ask: 1215 },
    { ticker: 'DOLAR MAYORISTA', at, last: 1215, bid: 1165, ask: 1215 },
    { ticker: 'DOLAR CRIPTO', at, last: 1215, bid: 1165, ask: 1215 },
    { ticker: 'DOLAR TARJETA', at, last: 1215, bid: 1165, ask: 1215 },
  ]);
});

test('wall time of Buenos Aires that was recorded as UTC is corrected, and only that', () => {
  const inUtc = '2025-07-01T15:01:40+00:00';
  const corrected = '2025-07-01T14:55:00.000Z';
  assert.deepEqual(instants('datos/v1/ambito/dolares/index.json', inUtc), [corrected, corrected]);
  assert.deepEqual(instants('datos/v1/ambito/dolares/index.json', committedAt), [
    sourceInstant,
    sourceInstant,
  ]);
  assert.deepEqual(instants('datos/v1/dolares/index.json', inUtc), [sourceInstant, corrected]);
  assert.deepEqual(instants('datos/v1/cotizaciones/index.json', inUtc), [corrected, corrected]);
  assert.deepEqual(instants('datos/v1/other.json', inUtc), [sourceInstant, sourceInstant]);
});

test('an instant in true UTC is not moved past its recording', () => {
  const path = 'datos/v1/ambito/dolares/index.json';
  const fresh = '2024-02-05T13:55:00.000Z';
  const recorded = '2024-02-05T14:01:10+00:00';
  assert.deepEqual(instants(path, recorded, [fresh, fresh]), [fresh, fresh]);
  // Corrected as wall time, an instant may equal the instant of its recording, but not exceed it.
  const threeHours = '2024-02-05T11:01:10.000Z';
  const atOnce = '2024-02-05T14:01:10.000Z';
  assert.deepEqual(instants(path, recorded, [threeHours, threeHours]), [atOnce, atOnce]);
});

test('one instant in true UTC decides for the older instants of its snapshot', () => {
  const recorded = '2024-02-05T14:01:10+00:00';
  const stamps = ['2024-02-05T13:55:00.000Z', '2024-02-02T18:00:00.000Z'] as const;
  assert.deepEqual(instants('datos/v1/ambito/dolares/index.json', recorded, stamps), stamps);
  // The rate `blue` of this document is always in true UTC, so it proves nothing.
  const ofDollars = instants('datos/v1/dolares/index.json', recorded, stamps);
  assert.deepEqual(ofDollars, [stamps[0], '2024-02-02T21:00:00.000Z']);
});

test('an instant after its recording is not changed and decides nothing', () => {
  const recorded = '2025-07-01T15:01:40+00:00';
  const stamps = ['2025-07-02T11:00:00.000Z', sourceInstant] as const;
  assert.deepEqual(instants('datos/v1/ambito/dolares/index.json', recorded, stamps), [
    stamps[0],
    '2025-07-01T14:55:00.000Z',
  ]);
});

test("without the source's instant, the instant of the recording is used", () => {
  const expected = [
    { ticker: 'DOLAR MEP', at: recordedAt, last: 1215, bid: 1165, ask: 1215 },
    { ticker: 'DOLAR MEP', at: recordedAt, last: 1215, bid: 1165, ask: 1215 },
  ];
  const absent = dollar('bolsa', { fechaActualizacion: undefined });
  assert.deepEqual(map(absent, dollar('bolsa', { fechaActualizacion: null })).updates, expected);
});

test('a missing price is absent, never zero, and the other side is still used', () => {
  const oneSided = [dollar('oficial', { compra: undefined }), dollar('blue', { venta: null })];
  assert.deepEqual(map(...oneSided).updates, [
    { ticker: 'DOLAR OFICIAL VENTA', at, last: 1215, ask: 1215 },
    { ticker: 'DOLAR BLUE COMPRA', at, last: 1165, bid: 1165 },
  ]);
  assert.deepEqual(reasons(dollar('bolsa', { venta: undefined })), ['no-price']);
});

test('both sides of a crossed quote are rejected, because either may be wrong', () => {
  assert.deepEqual(reasons(dollar('blue', { compra: 1300, venta: 1269.2 })), ['crossed']);
  assert.equal(map(dollar('blue', { compra: 1215, venta: 1215 })).updates.length, 2);
});

test('the price of a crypto asset is the middle of its USDT quote, and its other quotes have no instrument', () => {
  const { updates, rejected } = map(
    belo(),
    belo({ monedaBase: 'ETH', compra: 3374, venta: 3308 }),
    belo({ criptomoneda: 'USDC' }),
    belo({ moneda: 'ARS', criptomoneda: undefined }),
    belo({ moneda: 'ETH', criptomoneda: undefined }),
    belo({ monedaBase: 'SOL' }),
  );
  assert.deepEqual(updates, [
    { ticker: 'BTC', at: recordedAt, last: 93_452 },
    { ticker: 'ETH', at: recordedAt, last: 3341 },
  ]);
  assert.deepEqual(
    rejected.map(({ reason }) => reason),
    Array.from({ length: 4 }, () => 'no-instrument'),
  );
});

test("a crypto quote is from the customer's point of view, so it is crossed when compra is below venta", () => {
  assert.deepEqual(reasons(belo({ compra: 92_518, venta: 94_386 })), ['crossed']);
  assert.deepEqual(reasons(belo({ venta: undefined })), ['no-price']);
});

test('other currencies and houses have no instrument', () => {
  assert.deepEqual(
    reasons(dollar('oficial', { moneda: 'EUR' }), dollar('solidario'), dollar('constructor')),
    ['no-instrument', 'no-instrument', 'no-instrument'],
  );
});

test('a faulty entry is rejected, and the rest of its snapshot is used', () => {
  const { updates, rejected } = map(
    null,
    [],
    'sponsor',
    dollar('bolsa', { venta: '1215' }),
    dollar('bolsa', { fechaActualizacion: '30/06/2025 - 15:04' }),
    dollar('bolsa'),
  );
  assert.deepEqual(
    rejected.map(({ reason }) => reason),
    ['unintelligible', 'unintelligible', 'unintelligible', 'unintelligible', 'bad-instant'],
  );
  assert.deepEqual(updates, [{ ticker: 'DOLAR MEP', at, last: 1215, bid: 1165, ask: 1215 }]);
});

test('a line without an instant or without data is one rejection, whatever it is', () => {
  for (const text of [
    '{"commit":',
    'null',
    '[]',
    '{"data":[]}',
    `{"committedAt":"${committedAt}","data":{}}`,
    '{"committedAt":"yesterday","data":[]}',
  ]) {
    const rejected = [{ reason: 'unintelligible', sample: text }];
    assert.deepEqual(mapDolarapiLine(text), { at: undefined, updates: [], rejected });
  }
});
