import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { panelCodes } from '../../domain/instruments/panel.ts';
import { noExtras, quoteExtras } from '../../domain/quotes/quote-extra.ts';
import { parseWith } from '../../../test/support/http/parse-with.ts';
import { extraNames } from '../../wire/texts/quote-names.ts';
import { cotizaciones, cotizacionesStream } from './cotizaciones.ts';

const tickersMax = 500;

function tickersOf(query: string): readonly string[] {
  const parsed = parseWith(cotizaciones, query, tickersMax);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return parsed.value.selection.tickers;
}

function problemOf(query: string): unknown {
  const parsed = parseWith(cotizaciones, query, tickersMax);
  assert.ok(!parsed.ok, `${query} was accepted`);
  return parsed.problem;
}

function listOf(count: number): string {
  return Array.from({ length: count }, () => 'A').join(',');
}

test('contract 2.5.2: plus and %20 both mean a space, and insignificant white space is removed', () => {
  assert.deepEqual(tickersOf('especie=DOLAR+MEP,DOLAR%20CCL'), ['DOLAR MEP', 'DOLAR CCL']);
  assert.deepEqual(tickersOf('especie=%20%20DOLAR%09+MEP+'), ['DOLAR MEP']);
});

test('contract 4.1.6: empty entries between commas are ignored', () => {
  assert.deepEqual(tickersOf('especie=,GGAL,,%20,AL30,'), ['GGAL', 'AL30']);
});

test('contract 4.1: an encoded comma separates tickers as a plain comma does', () => {
  assert.deepEqual(tickersOf('especie=GGAL%2CAL30'), ['GGAL', 'AL30']);
});

test('contract 4.1.6: several especie parameters are one list', () => {
  assert.deepEqual(tickersOf('especie=GGAL&panel=LID&especie=AL30,YPFD'), ['GGAL', 'AL30', 'YPFD']);
});

test('an encoded parameter name is recognised', () => {
  assert.deepEqual(tickersOf('%65specie=GGAL'), ['GGAL']);
});

test('contract 2.5.2: letters beyond ASCII are percent-encoded UTF-8', () => {
  assert.deepEqual(tickersOf('especie=%C3%91AND%C3%9A'), ['ÑANDÚ']);
});

test('contract 4.1.1: neither especie nor panel is a problem, and so are only commas', () => {
  for (const query of ['', 'especie=', 'especie', 'especie=,,+,', 'otro=1', 'Especie=GGAL']) {
    assert.deepEqual(problemOf(query), { type: 'selection-missing' }, query);
  }
});

test('contract 4.1.2: exactly the eleven panel codes are accepted', () => {
  for (const panel of panelCodes) {
    assert.deepEqual(parseWith(cotizaciones, `panel=${panel}`, tickersMax), {
      ok: true,
      value: { selection: { tickers: [], panel }, extras: [] },
    });
  }
  for (const value of ['GLOBAL', 'DOW30', 'CRIPTO', 'lid', '', ' LID', 'LID,GEN', '__proto__']) {
    assert.deepEqual(problemOf(`especie=GGAL&panel=${encodeURIComponent(value)}`), {
      type: 'panel-unknown',
      value,
      valid: panelCodes,
    });
  }
});

test('contract 4.1.2: panel sent more than once is a problem, with equal values too', () => {
  assert.deepEqual(problemOf('panel=LID&panel=LID'), { type: 'panel-repeated' });
  assert.deepEqual(problemOf('panel=LID&panel=GEN'), { type: 'panel-repeated' });
});

test('contract 4.1.6: as many tickers as the limit are accepted, and one more is a problem', () => {
  assert.equal(tickersOf(`especie=${listOf(500)},,`).length, 500);
  assert.deepEqual(problemOf(`especie=${listOf(300)}&especie=${listOf(201)}`), {
    type: 'tickers-too-many',
    parameter: 'especie',
    count: 501,
    max: 500,
  });
});

test('contract 4.1.5: malformed percent-encoding, bytes that are not UTF-8, and NUL make a ticker that is unknown, as it was sent', () => {
  for (const value of ['%zz', '%', 'A%4', '%C3', '%C3%28', '%ED%A0%80', '%C0%AF', '%FF', 'A%00']) {
    assert.deepEqual(tickersOf(`especie=GGAL,${value},AL30`), ['GGAL', value, 'AL30']);
  }
});

test('contract 4.5.6: unknown parameters are ignored, however malformed', () => {
  assert.deepEqual(tickersOf('x=%zz&%zz=1&__proto__=1&&=&especie=GGAL'), ['GGAL']);
});

test('parsing any query gives a selection or a problem, and never throws', () => {
  const piece = fc.constantFrom(
    'especie=',
    'panel=',
    'campos=',
    '&',
    '%',
    ',',
    '+',
    'LID',
    'é',
    '%00',
    '=',
  );
  const query = fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 4 })));
  fc.assert(
    fc.property(query, (pieces) => {
      const parsed = parseWith(cotizaciones, pieces.join(''), tickersMax);
      if (!parsed.ok) return;
      const { panel, tickers } = parsed.value.selection;
      assert.ok(panel !== undefined || tickers.length > 0);
    }),
  );
});

test('every list of tickers that a client encodes is decoded to the same list', () => {
  const ticker = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .filter((text) => !/[,\0]/.test(text) && text.trim() !== '');
  fc.assert(
    fc.property(fc.array(ticker, { minLength: 1, maxLength: 20 }), (tickers) => {
      const expected = tickers.map((one) => one.trim().replaceAll(/\s+/gu, ' '));
      assert.deepEqual(
        tickersOf(new URLSearchParams({ especie: tickers.join() }).toString()),
        expected,
      );
      assert.deepEqual(tickersOf(`especie=${encodeURIComponent(tickers.join())}`), expected);
    }),
  );
});

function extrasIn(query: string): unknown {
  const parsed = parseWith(cotizaciones, `especie=A${query}`, tickersMax);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return parsed.value.extras;
}

test('contract 4.1.7: campos names the extras of a quote, in any order and any number of lists', () => {
  assert.equal(extrasIn(''), noExtras);
  assert.deepEqual(extrasIn('&campos=fuente,venta,compra'), ['bid', 'ask', 'source']);
  assert.equal(extrasIn('&campos=venta&campos=compra,venta'), extrasIn('&campos=compra,venta'));
  assert.deepEqual(extrasIn('&campos=+monto%20,%20operaciones'), ['amount', 'trades']);
  const all = Object.values(extraNames).toReversed().join();
  assert.deepEqual(extrasIn(`&campos=${all}`), quoteExtras);
});

test('contract 4.1.7: anything else in campos is a problem that names it and lists the valid names', () => {
  const valid = Object.values(extraNames);
  for (const [sent, value] of [
    ['', ''],
    ['bid', 'bid'],
    ['Compra', 'Compra'],
    ['compra,', ''],
    ['compra,volumen', 'volumen'],
    ['toString', 'toString'],
  ]) {
    const problem = { type: 'field-unknown', value, valid };
    assert.deepEqual(problemOf(`panel=LID&campos=${sent}`), problem);
  }
  assert.deepEqual(problemOf('campos=x'), { type: 'selection-missing' });
});

function streamOf(query: string): unknown {
  const parsed = parseWith(cotizacionesStream, `especie=AL30&${query}`);
  if (!parsed.ok) return parsed.problem;
  const { barInterval, heartbeatMs } = parsed.value;
  return { barInterval, heartbeatMs };
}

const nothing = { barInterval: undefined, heartbeatMs: undefined };

test('contract 4.9.5: a stream has bars only if barras is sent, once', () => {
  assert.deepEqual(streamOf(''), nothing);
  for (const [name, barInterval] of [
    ['1m', 1],
    ['5m', 5],
    ['15m', 15],
    ['60m', 60],
  ] as const) {
    assert.deepEqual(streamOf(`barras=${name}`), { ...nothing, barInterval });
  }
});

test('contract 4.4.1: a client chooses a heartbeat of 2, 5 or 10 seconds with latido', () => {
  for (const [name, heartbeatMs] of [
    ['2s', 2_000],
    ['5s', 5_000],
    ['10s', 10_000],
  ] as const) {
    assert.deepEqual(streamOf(`latido=${name}`), { ...nothing, heartbeatMs });
  }
});

test('any other value of barras or latido is a problem that lists the valid ones', () => {
  const lists = { barras: ['1m', '5m', '15m', '60m'], latido: ['2s', '5s', '10s'] };
  for (const [parameter, valid] of Object.entries(lists)) {
    for (const value of ['', '2', '2m', '5S', '5m ', '1s', '60']) {
      const problem = { type: 'value-unknown', parameter, value, valid };
      const sent = `${parameter}=${encodeURIComponent(value)}`;
      assert.deepEqual(streamOf(sent), problem);
    }
    const repeated = { type: 'parameter-repeated', parameter };
    assert.deepEqual(streamOf(`${parameter}=5&${parameter}=5`), repeated);
    const malformed = { type: 'parameter-malformed', parameter, value: '%zz' };
    assert.deepEqual(streamOf(`${parameter}=%zz`), malformed);
  }
});
