import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { IntradayRow } from '../../market/api/quote.ts';
import { BarBook } from './bar-book.ts';

function row(fecha: string, hora: string, ultimo: number): IntradayRow {
  const prices = { apertura: 1, maximo: 9, minimo: 1, ultimo };
  return { especie: 'X', fecha, hora, ...prices, volumen: null };
}

const monday = '2026-11-16';
const tuesday = '2026-11-17';

test('a streamed row replaces the requested row of its time, in its place, and a later one follows', () => {
  const book = new BarBook();
  book.addStreamed(row(monday, '11:01:00', 3));
  book.addStreamed(row(monday, '11:02:00', 4));
  book.setRequested([row(monday, '11:00:00', 1), row(monday, '11:01:00', 2)]);
  assert.deepEqual(
    book.lastSessions(1).map(({ ultimo }) => ultimo),
    [1, 3, 4],
  );
});

test('after a break of the stream, requested rows replace what it sent before', () => {
  const book = new BarBook();
  book.setRequested([row(monday, '11:00:00', 1)]);
  book.addStreamed(row(monday, '11:01:00', 2));
  book.restart();
  assert.deepEqual(
    book.lastSessions(1).map(({ ultimo }) => ultimo),
    [1, 2],
    'nothing is lost while the request is under way',
  );
  book.addStreamed(row(monday, '11:03:00', 8));
  book.setRequested([
    row(monday, '11:00:00', 1),
    row(monday, '11:01:00', 5),
    row(monday, '11:02:00', 6),
    row(monday, '11:03:00', 7),
  ]);
  assert.deepEqual(
    book.lastSessions(1).map(({ ultimo }) => ultimo),
    [1, 5, 6, 8],
  );
});

test('the last sessions are those that have bars', () => {
  const book = new BarBook();
  assert.deepEqual(book.lastSessions(5), []);
  const rows = [row(monday, '11:00:00', 1), row(tuesday, '11:00:00', 2)];
  book.setRequested([row('2026-11-13', '11:00:00', 0), ...rows]);
  assert.deepEqual(book.lastSessions(2), rows);
  assert.equal(book.lastSessions(3).length, 3);
  assert.equal(book.lastSessions(5).length, 3);
  book.addStreamed(row('2026-11-18', '11:00:00', 3));
  assert.deepEqual(
    book.lastSessions(1).map(({ fecha }) => fecha),
    ['2026-11-18'],
  );
});
