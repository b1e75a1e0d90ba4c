import assert from 'node:assert/strict';
import { test } from 'node:test';

import { barAt } from '../../../test/support/market/bar-samples.ts';
import { sampleUniverse } from '../../../test/support/market/sample-market.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Bar } from '../../domain/quotes/minute-bar.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { InstantTexts } from '../../wire/texts/instant-texts.ts';
import { barEvent, barTable } from './bar.ts';

const al30 = sampleUniverse.get('AL30' as Ticker);
const btc = sampleUniverse.get('BTC' as Ticker);

function barJson(instrument: Instrument, bar: Bar, instants?: InstantTexts): string {
  return barTable(instants)
    .with(instants === undefined ? [] : ['instant'])
    .object({ instrument, bar });
}

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

test('contract 4.5.3 and 4.5.7: the same texts are in every format', () => {
  const bar = barAt('2026-11-20', '10:35', [1.5, 2.25, 1, 2], null);
  const of = (format: 'csv' | 'csv-comma' | 'json' | 'ndjson'): string =>
    barTable().plain.render([{ instrument: al30, bar }], format);
  assert.equal(
    of('csv'),
    'especie,fecha,hora,apertura,maximo,minimo,ultimo,volumen\r\n' +
      'AL30,2026-11-20,10:35:00,1.5,2.25,1,2,\r\n',
  );
  assert.equal(
    of('csv-comma'),
    'especie;fecha;hora;apertura;maximo;minimo;ultimo;volumen\r\n' +
      'AL30;2026-11-20;10:35:00;1,5;2,25;1;2;\r\n',
  );
  assert.equal(of('json'), `[${barJson(al30, bar)}]`);
  assert.equal(of('ndjson'), `${barJson(al30, bar)}\n`);
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
  const rows = [{ instrument: al30, bar }];
  for (const [style, separator] of [
    ['csv', ','],
    ['csv-comma', ';'],
  ] as const) {
    const [header = '', row = ''] = barTable().plain.render(rows, style).split('\r\n');
    assert.equal(
      barTable(instants).with(['instant']).render(rows, style),
      `${header}${separator}instante\r\n${row}${separator}2026-11-20T10:35:00-03:00\r\n`,
    );
  }
  const state = { instrument: al30, bar };
  assert.equal(barEvent(state), `event: barra\ndata: ${barJson(al30, bar)}\n\n`);
  const event = `event: barra\ndata: ${barJson(al30, bar, instants)}\n\n`;
  assert.equal(barEvent(state, instants), event);
  assert.equal(barEvent(state, instants), event);
});
