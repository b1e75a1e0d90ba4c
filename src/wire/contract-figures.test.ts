import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fillFigures } from './contract-figures.ts';

const figures = {
  tickersPerRequestMax: 500,
  requestLineBytesMax: 16_384,
  requestHeadBytesMax: 32_768,
  headersTimeoutMs: 1_500,
  requestTimeoutMs: 30_000,
  streamsPerKeyMax: 4,
  streamHeartbeatMs: 15_000,
  streamStallMs: 60_000,
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
