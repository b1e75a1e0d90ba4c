import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nobody, testAnswering } from '../../../test/support/http/answering.ts';
import { sampleQuotes, sampleUniverse } from '../../../test/support/market/sample-market.ts';
import { Board } from '../../board/board.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import type { TableFormat } from '../../contract/table-format.ts';
import { InstantTexts } from '../../wire/texts/instant-texts.ts';
import { HistoryRevisions } from '../../store/contract/history-store.ts';
import type { Content } from '../content/content.ts';
import { cotizaciones } from './cotizaciones.ts';

const read = (): never => assert.fail('only a conversion reads closes');

function start() {
  const board = new Board(sampleUniverse);
  board.adopt(sampleQuotes);
  const instants = new InstantTexts(sampleUniverse);
  const history = { readSeries: read, readBars: read, countCloses: read };
  const revisions = new HistoryRevisions();
  const source = cotizaciones({ board, instants, history, revisions }, testAnswering());
  const find = (query: string, format: TableFormat = 'json'): Content => {
    const found = source.find(query, format, nobody);
    assert.ok(!(found instanceof Promise) && found.ok);
    return found.value;
  };
  return { board, find };
}

let version = 1_000;
function next(ticker: string): Quote {
  const instrument = sampleUniverse.get(ticker as Ticker);
  const before = sampleQuotes.find((quote) => quote.instrument === instrument);
  assert.ok(before !== undefined);
  version += 1;
  return { ...before, version, last: version };
}

for (const query of ['panel=LID', 'especie=GGAL', 'especie=AL30,GGAL&panel=LID']) {
  test(`${query}: the body is made anew exactly when a quote of the answer changed`, () => {
    const { board, find } = start();
    for (const format of ['json', 'csv'] as const) {
      const first = find(query, format).body;
      assert.equal(find(query, format).body, first);
      board.adopt([next('BTC'), next('COME')]);
      assert.equal(find(query, format).body, first);
      board.adopt([sampleQuotes[1] ?? next('GGAL')]);
      assert.equal(find(query, format).body, first);
      const changed = next('GGAL');
      board.adopt([changed]);
      const second = find(query, format).body;
      assert.notEqual(second, first);
      assert.match(String(second.pick(['identity'])?.parts), new RegExp(`\\b${changed.last}\\b`));
      assert.equal(find(query, format).body, second);
    }
  });
}

test('a member that had no quote enters the answer, and its name leaves the header', () => {
  const { board, find } = start();
  assert.deepEqual(find('panel=LID').fields.list, ['missing-especies', 'NUEVA']);
  const nueva = sampleUniverse.get('NUEVA' as Ticker);
  board.adopt([{ ...next('GGAL'), instrument: nueva }]);
  const { body, fields } = find('panel=LID');
  assert.deepEqual(fields.list, []);
  assert.match(String(body.pick(['identity'])?.parts), /"NUEVA"/);
});

/** A change of the book of GGAL alone. */
function nextBook(bid: number): Quote {
  const before = sampleQuotes.find(({ instrument }) => instrument.ticker === 'GGAL');
  assert.ok(before !== undefined);
  version += 1;
  return { ...before, version, plainVersion: before.version, book: { at: version, bid } };
}

for (const query of ['panel=LID', 'especie=GGAL']) {
  test(`${query}: a change of the book renders nothing anew, unless the client requested its fields`, () => {
    const { board, find } = start();
    for (const [bid, format] of [
      [12_345, 'json'],
      [12_346, 'csv'],
    ] as const) {
      const plain = find(query, format).body;
      const full = find(`${query}&campos=compra`, format).body;
      board.adopt([nextBook(bid)]);
      assert.equal(find(query, format).body, plain);
      const { body } = find(`${query}&campos=compra`, format);
      assert.notEqual(body, full);
      assert.match(String(body.pick(['identity'])?.parts), new RegExp(`\\b${bid}\\b`));
      assert.equal(find(`${query}&campos=compra`, format).body, body);
    }
  });
}
