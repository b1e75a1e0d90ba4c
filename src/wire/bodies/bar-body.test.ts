import assert from 'node:assert/strict';
import { test } from 'node:test';

import { barAt } from '../../../test/support/market/bar-samples.ts';
import { sampleUniverse } from '../../../test/support/market/sample-market.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { InstantTexts } from '../texts/instant-texts.ts';
import { barFormat, barJson } from './bar-body.ts';
import { barEvent } from './bar-event.ts';

const al30 = sampleUniverse.get('AL30' as Ticker);
const btc = sampleUniverse.get('BTC' as Ticker);

function volumeOf(volume: number | null): unknown {
  const row = JSON.parse(barJson(al30, barAt('2026-11-20', '11:00', [1, 1, 1, 1], volume)));
  return (row as { readonly volumen: unknown }).volumen;
}

test('contract 2.9: a bar has the fields of the contract in its order', () => {
  const bar = barAt('2026-11-20', '10:35', [91_250.123_456, 91_300, 91_200.5, 91_250], 1_234.5);
  assert.equal(
    barJson(al30, bar),
    '{"especie":"AL30","fecha":"2026-11-20","hora":"10:35:00","apertura":91250.1235' +
      ',"maximo":91300,"minimo":91200.5,"ultimo":91250,"volumen":1234.5}',
  );
});

test('contract 2.9: prices have the decimals of the instrument, and a small one is never 0', () => {
  const bar = barAt('2026-11-20', '00:00', [0.000_000_001_234, 2e-9, 1e-9, 1e-9]);
  assert.match(barJson(btc, bar), /"apertura":0\.00000000123,"maximo":0\.000000002,/);
});

test('contract 2.9.2: the volume has at most 8 decimals, and is null where there is none', () => {
  assert.equal(volumeOf(0.3 - 0.1), 0.2);
  assert.equal(volumeOf(0.123_456_789), 0.123_456_79);
  assert.equal(volumeOf(5e9), 5e9);
  assert.equal(volumeOf(null), null);
});

test('contract 4.5.3 and 4.5.7: the same texts are in both styles of CSV', () => {
  const bar = barAt('2026-11-20', '10:35', [1.5, 2.25, 1, 2], null);
  const [csv, comma] = [barFormat('csv'), barFormat('csv-comma')];
  assert.equal(csv.opening, 'especie,fecha,hora,apertura,maximo,minimo,ultimo,volumen\r\n');
  assert.equal(csv.row(al30, bar), 'AL30,2026-11-20,10:35:00,1.5,2.25,1,2,\r\n');
  assert.equal(comma.opening, 'especie;fecha;hora;apertura;maximo;minimo;ultimo;volumen\r\n');
  assert.equal(comma.row(al30, bar), 'AL30;2026-11-20;10:35:00;1,5;2,25;1;2;\r\n');
  assert.deepEqual([csv.separator, csv.closing], ['', '']);
});

test('contract 2.9: the bars of an instrument in JSON are a list', () => {
  const bar = barAt('2026-11-20', '10:35', [1.5, 2.25, 1, 2], null);
  const { opening, separator, closing, row } = barFormat('json');
  const one = row(al30, bar);
  assert.equal(one, barJson(al30, bar));
  assert.deepEqual([opening, separator, closing], ['[', ',', ']']);
});

test('contract 4.9.5: a bar is an event with its row, and without an id', () => {
  const bar = barAt('2026-11-20', '10:35', [1.5, 2.25, 1, 2], 7);
  const state = { instrument: al30, bar };
  assert.equal(barEvent(state), `event: barra\ndata: ${barJson(al30, bar)}\n\n`);
  assert.equal(barEvent(state), barEvent({ instrument: al30, bar }));
});

test('contract 4.9.6: the instant follows volumen: the start of the bar with the offset of the market', () => {
  const instants = new InstantTexts(sampleUniverse);
  const bar = barAt('2026-11-20', '10:35', [1.5, 2.25, 1, 2], 7);
  const plain = barJson(al30, bar).slice(0, -1);
  assert.equal(barJson(al30, bar, instants), `${plain},"instante":"2026-11-20T10:35:00-03:00"}`);
  const spy = sampleUniverse.get('SPY_US' as Ticker);
  // 10:35 in Buenos Aires.
  assert.match(barJson(spy, bar, instants), /"instante":"2026-11-20T08:35:00-05:00"\}$/);
  for (const [style, separator] of [
    ['csv', ','],
    ['csv-comma', ';'],
  ] as const) {
    const format = barFormat(style, instants);
    assert.equal(
      format.opening,
      barFormat(style).opening.replace('\r\n', `${separator}instante\r\n`),
    );
    const row = barFormat(style).row(al30, bar);
    const instant = `${separator}2026-11-20T10:35:00-03:00\r\n`;
    assert.equal(format.row(al30, bar), row.replace('\r\n', instant));
  }
  const state = { instrument: al30, bar };
  assert.equal(barEvent(state), `event: barra\ndata: ${barJson(al30, bar)}\n\n`);
  const event = `event: barra\ndata: ${barJson(al30, bar, instants)}\n\n`;
  assert.equal(barEvent(state, instants), event);
  assert.equal(barEvent(state, instants), event);
});
