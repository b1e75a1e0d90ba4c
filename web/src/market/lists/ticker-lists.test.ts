import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import * as fc from 'fast-check';

import {
  addList,
  changeList,
  changeTickers,
  findList,
  moveItem,
  nameLengthMax,
  nameProblem,
  readLists,
  tickerLists,
  tickersMax,
  type TickerLists,
} from './ticker-lists.ts';

const lists: TickerLists = [
  { name: 'Bancos', tickers: ['GGAL', 'BMA'] },
  { name: 'Energía', tickers: [], look: { view: 'graficos', range: '1a' } },
];

beforeEach(() => {
  tickerLists.value = lists;
});

test('stored lists are read as they were written, and anything else is refused', () => {
  assert.deepEqual(readLists(JSON.parse(JSON.stringify(lists))), lists);
  for (const value of [
    null,
    {},
    'x',
    [1],
    [null],
    [{ name: 'A' }],
    [{ name: 'A', tickers: [1] }],
    [{ name: 1, tickers: [] }],
    [...lists, { name: 'BANCOS', tickers: [] }],
  ]) {
    assert.equal(readLists(value), undefined, JSON.stringify(value));
  }
});

test('a list whose look is not valid is read without it', () => {
  for (const look of [null, 'mapa', {}, { view: 1, range: '1d' }]) {
    assert.deepEqual(readLists([{ name: 'A', tickers: ['GGAL'], look }]), [
      { name: 'A', tickers: ['GGAL'] },
    ]);
  }
});

test('a list is found by its name without regard to case', () => {
  assert.equal(findList(' energía')?.name, 'Energía');
  assert.equal(findList('Energia'), undefined);
});

test('a name is refused if it is empty, too long or of another list', () => {
  assert.equal(nameProblem('  '), 'Falta el nombre de la lista.');
  assert.match(nameProblem('x'.repeat(nameLengthMax + 1)) ?? '', /hasta 40 caracteres/);
  assert.equal(nameProblem('bancos'), 'Ya hay una lista «Bancos».');
  assert.equal(nameProblem('BANCOS', 'Bancos'), undefined);
  assert.equal(nameProblem('x'.repeat(nameLengthMax)), undefined);
});

test('a list gets a free name, whatever the wanted one', () => {
  assert.equal(addList({ name: 'Bancos', tickers: [] }), 'Bancos 2');
  assert.equal(addList({ name: '', tickers: [] }), 'Mi lista');
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (wanted) => {
      tickerLists.value = lists;
      for (const tickers of [['GGAL'], []]) {
        const name = addList({ name: wanted, tickers }) ?? '';
        assert.equal(nameProblem(name, name), undefined);
        assert.deepEqual(findList(name)?.tickers, tickers);
      }
    }),
  );
});

test('a change applies to one list alone', () => {
  changeList('ENERGÍA', () => ({ name: 'Luz' }));
  const changed = [lists[0], { name: 'Luz', tickers: [], look: { view: 'graficos', range: '1a' } }];
  assert.deepEqual(tickerLists.value, changed);
  changeList('Nada', () => ({ name: 'Sol' }));
  assert.deepEqual(tickerLists.value, changed);
});

test('a full list takes no more tickers', () => {
  const full = Array.from({ length: tickersMax }, (_, at) => `T${at}`);
  changeTickers('Bancos', () => full);
  changeTickers('Bancos', (now) => [...now, 'GGAL']);
  assert.deepEqual(findList('Bancos')?.tickers, full);
});

test('an item moves to a place, the others keep their order, and none is lost', () => {
  assert.deepEqual(moveItem(['a', 'b', 'c'], 'a', 1), ['b', 'a', 'c']);
  assert.deepEqual(moveItem(['a', 'b', 'c'], 'c', -9), ['c', 'a', 'b']);
  assert.deepEqual(moveItem(['a', 'b', 'c'], 'x', 1), ['a', 'b', 'c']);
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(), { minLength: 1 }),
      fc.integer(),
      fc.nat(),
      (all, by, n) => {
        const item = all[n % all.length] ?? 0;
        const moved = moveItem(all, item, by);
        assert.deepEqual(
          moved.filter((one) => one !== item),
          all.filter((one) => one !== item),
        );
        assert.equal(moved.length, all.length);
      },
    ),
  );
});
