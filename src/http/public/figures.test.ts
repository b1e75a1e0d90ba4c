import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fillFigures, type ContractFigures } from './texts.ts';

const figures = {
  tickersPerRequestMax: 500,
  historyRowsMax: 100_000,
  requestLineBytesMax: 16_384,
  requestHeadBytesMax: 32_768,
  headersTimeoutMs: 1_500,
  requestTimeoutMs: 30_000,
  streamsPerKeyMax: 4,
  streamHeartbeatMs: 15_000,
  streamStallMs: 60_000,
  intradaySessions: 10,
  defaultPlan: { requests: 60, seconds: 60, burst: 20 },
  failuresPerAddress: undefined,
  corsOrigins: false,
  urlKeys: false,
};

test('the limits in all texts of a document are replaced: times in seconds, sizes in bytes, numbers as they are', () => {
  const document = {
    a: 'Hasta {tickersPerRequestMax} especies en {requestLineBytesMax}.',
    list: ['{headersTimeoutMs}', { deep: '{requestTimeoutMs} o {streamStallMs}' }, 7, null, true],
  };
  assert.deepEqual(fillFigures(document, figures), {
    a: 'Hasta 500 especies en 16384 bytes.',
    list: ['1,5 s', { deep: '30 s o 60 s' }, 7, null, true],
  });
});

test('rates are stated in words, with their burst, and no limit as unlimited', () => {
  const fill = (defaultPlan: ContractFigures['defaultPlan']) =>
    fillFigures('{defaultPlan}', { ...figures, defaultPlan });
  assert.equal(fill(figures.defaultPlan), '60 pedidos por minuto, y hasta 20 seguidos');
  assert.equal(
    fill({ requests: 1, seconds: 1, burst: 1 }),
    '1 pedido por segundo, y hasta 1 seguido',
  );
  assert.equal(
    fill({ requests: 5_000, seconds: 86_400, burst: 50 }),
    '5000 pedidos por día, y hasta 50 seguidos',
  );
  assert.equal(fill(undefined), 'una cantidad ilimitada de pedidos');
});

const corsText = (corsOrigins: boolean) =>
  fillFigures('{corsOrigins}', { ...figures, corsOrigins });

test('whether scripts of other origins may read responses is stated, without the origins', () => {
  assert.match(corsText(false), /^Los scripts de otros orígenes no pueden leer/);
  assert.match(corsText(true), /^Solo los scripts de los orígenes que configuró el operador/);
});

const urlKeysText = (urlKeys: boolean) => fillFigures('{urlKeys}', { ...figures, urlKeys });

test('whether keys in URLs are accepted is stated', () => {
  assert.equal(urlKeysText(false), 'Las claves en la URL están deshabilitadas.');
  assert.match(urlKeysText(true), /`\/clave\/CLAVE\/cotizaciones/);
});

test('braces around anything but a name of two words or more are no limit', () => {
  for (const text of ['{especie}', '{A1b}', '{ requestTimeoutMs }', '{}', 'requestTimeoutMs']) {
    assert.equal(fillFigures(text, figures), text);
  }
});

test('a document that names an unknown limit is refused', () => {
  assert.throws(() => fillFigures(['{streamsMax}'], figures), {
    message: 'the OpenAPI document names an unknown limit {streamsMax}',
  });
});
