import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sampleQuotes, sampleUniverse } from '../../../test/support/market/sample-market.ts';
import { Board } from '../../board/board.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { Universe } from '../../domain/instruments/universe.ts';
import { QuoteResponses } from './quote-responses.ts';
import type { QuoteResponse } from './quote-responses.ts';
import { clockAt } from '../../../test/support/market/clock-at.ts';

const clock = clockAt(() => 0);

function start({
  universe = sampleUniverse,
  responsesBytesMax = 2 ** 20,
}: { readonly universe?: Universe; readonly responsesBytesMax?: number } = {}): {
  readonly board: Board;
  readonly find: (query: string) => QuoteResponse;
  readonly clear: () => void;
} {
  const board = new Board(universe);
  board.adopt(sampleQuotes);
  const answers = new QuoteResponses({ board, clock, tickersMax: 500, responsesBytesMax });
  const find = (query: string): QuoteResponse => {
    const answer = answers.find(query);
    assert.ok(answer.ok);
    return answer.value;
  };
  return { board, find, clear: () => answers.clear() };
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
      const first = find(query).current(format).body;
      assert.equal(find(query).current(format).body, first);
      board.adopt([next('BTC'), next('COME')]);
      assert.equal(find(query).current(format).body, first);
      board.adopt([sampleQuotes[1] ?? next('GGAL')]);
      assert.equal(find(query).current(format).body, first);
      const changed = next('GGAL');
      board.adopt([changed]);
      const second = find(query).current(format).body;
      assert.notEqual(second, first);
      assert.match(String(second.pick(['identity'])?.parts), new RegExp(`\\b${changed.last}\\b`));
      assert.equal(find(query).current(format).body, second);
    }
  });
}

test('a panel is one answer however it is asked for, by its alias as well', () => {
  const bonds = sampleUniverse.panels.get('BONOS') ?? [];
  const { instruments, markets, derived } = sampleUniverse;
  const panels = new Map([...sampleUniverse.panels, ['BON', bonds], ['BONOS', bonds]] as const);
  const { find } = start({
    universe: new Universe({ instruments, markets, derived, panels, bondTerms: [] }),
  });
  const answers = ['panel=BONOS', 'panel=BON', 'x=1&panel=BONOS', 'especie=&panel=BON'].map(find);
  assert.equal(new Set(answers).size, 1);
});

test('a member that had no quote enters the answer, and its name leaves the header', () => {
  const { board, find } = start();
  const before = find('panel=LID').current('json');
  assert.deepEqual(before.fields.list, ['missing-especies', 'NUEVA']);
  const nueva = sampleUniverse.get('NUEVA' as Ticker);
  board.adopt([{ ...next('GGAL'), instrument: nueva }]);
  const { body, fields } = find('panel=LID').current('json');
  assert.deepEqual(fields.list, []);
  assert.match(String(body.pick(['identity'])?.parts), /"NUEVA"/);
});

test('what does not fit the limit is answered all the same', () => {
  const { find } = start({ responsesBytesMax: 4_096 });
  for (let round = 0; round < 3; round += 1) {
    for (const query of ['especie=GGAL', 'especie=AL30,GD30,BTC,COME,AAPL', 'panel=LID']) {
      assert.ok(find(query).current('json').body.pick(['identity']) !== undefined);
    }
  }
  const first = find('especie=GGAL');
  for (const query of ['especie=AL30', 'especie=BTC', 'especie=COME']) find(query);
  assert.notEqual(find('especie=GGAL'), first);
});

test('a query that is no selection says why, every time', () => {
  const board = new Board(sampleUniverse);
  const answers = new QuoteResponses({ board, clock, tickersMax: 1, responsesBytesMax: 2 ** 20 });
  for (let round = 0; round < 2; round += 1) {
    const answer = answers.find('especie=A,B');
    assert.ok(!answer.ok && answer.problem.type === 'tickers-too-many');
  }
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
      const plain = find(query).current(format).body;
      const full = find(`${query}&campos=compra`).current(format).body;
      board.adopt([nextBook(bid)]);
      assert.equal(find(query).current(format).body, plain);
      const { body } = find(`${query}&campos=compra`).current(format);
      assert.notEqual(body, full);
      assert.match(String(body.pick(['identity'])?.parts), new RegExp(`\\b${bid}\\b`));
      assert.equal(find(`${query}&campos=compra`).current(format).body, body);
    }
  });
}

test('panels with extras share the limit of the memory, and plain panels are kept', () => {
  const { find, clear } = start({ responsesBytesMax: 16_384 });
  const [plain, full] = ['panel=LID', 'panel=LID&campos=compra'].map(find);
  assert.equal(find('panel=LID&campos=compra'), full);
  for (const campos of ['venta', 'monto', 'cantCompra', 'cantVenta', 'fuente', 'operaciones']) {
    find(`panel=LID&campos=${campos}`);
  }
  assert.notEqual(find('panel=LID&campos=compra'), full);
  assert.equal(find('panel=LID'), plain);
  clear();
  assert.notEqual(find('panel=LID'), plain);
});
