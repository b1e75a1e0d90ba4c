import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { parseWith } from '../../../test/support/http/parse-with.ts';
import { cotizaciones } from './cotizaciones.ts';

const tickersMax = 500;

function tickersOf(query: string): readonly string[] {
  const parsed = parseWith(cotizaciones, query, tickersMax);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return parsed.value.selection.tickers;
}

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
