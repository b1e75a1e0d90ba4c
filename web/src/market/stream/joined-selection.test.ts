import assert from 'node:assert/strict';
import { test } from 'node:test';

import { joinedQuery, tickersOf } from './joined-selection.ts';

test('one stream has the panel of a page, and the tickers and fields of all views, each once', () => {
  assert.equal(joinedQuery([{ panel: 'LID' }]), 'panel=LID');
  assert.equal(
    joinedQuery([
      { panel: 'LID', fields: ['monto'] },
      { tickers: ['DOLAR MEP', 'GGAL'] },
      { tickers: ['GGAL', 'BTC'], fields: ['monto', 'compra'] },
    ]),
    'panel=LID&especie=DOLAR%20MEP,GGAL,BTC&campos=monto,compra',
  );
});

test('a stream has at most as many tickers as a request, those of the page first', () => {
  const list = Array.from({ length: 499 }, (_, at) => `T${at}`);
  const tickers = tickersOf([{ tickers: list }, { tickers: ['T0', 'MERVAL', 'BTC'] }]);
  assert.deepEqual(tickers, [...list, 'MERVAL']);
});
