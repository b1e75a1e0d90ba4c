import assert from 'node:assert/strict';
import { test } from 'node:test';

import { formatBackup, partsOf, readBackup } from './backup.ts';

const all = {
  lists: [{ name: 'Mesa', tickers: ['GGAL', 'AL30'], look: { view: 'tabla', range: '1a' } }],
  columns: { general: ['ultimo', 'hora'], bonos: ['tir'] },
  alerts: [{ ticker: 'GGAL', kind: 'precio', way: 'sube', level: 7_500.5, isPaused: true }],
  levels: { GGAL: [7_400, 7_500.5], AL30: [91_000] },
} as const;

function problemOf(text: string): string {
  const read = readBackup(text);
  return 'problem' in read ? read.problem : '';
}

test('a file gives back what was saved', () => {
  assert.deepEqual(readBackup(formatBackup(all)), all);
  assert.deepEqual(partsOf(all), [
    '1 lista (Mesa)',
    '1 alerta',
    '3 niveles',
    'las columnas de los paneles, los bonos',
  ]);
});

test('a part that a file does not have is not replaced', () => {
  assert.deepEqual(readBackup('{"pizarra":1,"listas":[]}'), { lists: [] });
});

test('a file with anything wrong is refused whole, and says what is wrong', () => {
  assert.match(problemOf('hola'), /no es un JSON de Pizarra/);
  assert.match(problemOf('[]'), /no es un JSON de Pizarra/);
  assert.match(problemOf('{}'), /no es de Pizarra/);
  assert.match(problemOf('{"pizarra":2,"listas":[]}'), /versión 2\. Esta página lee la 1/);
  assert.match(problemOf('{"pizarra":1}'), /no tiene listas, columnas, alertas ni niveles/);
  const wrong = { pizarra: 1, listas: [{ name: 'x' }], alertas: [{ level: 'y' }], columnas: {} };
  assert.match(problemOf(JSON.stringify(wrong)), /error en: listas, alertas, columnas\. No se/);
  const high = { pizarra: 1, listas: [], niveles: { GGAL: ['7400'] } };
  assert.match(problemOf(JSON.stringify(high)), /error en: niveles/);
  const many = Array.from({ length: 101 }, () => all.alerts[0]);
  assert.match(problemOf(JSON.stringify({ pizarra: 1, alertas: many })), /error en: alertas/);
  const long = [{ name: 'x', tickers: Array.from({ length: 501 }, () => 'A') }];
  assert.match(problemOf(JSON.stringify({ pizarra: 1, listas: long })), /error en: listas/);
  assert.match(problemOf(' '.repeat(2_000_001)), /demasiado grande/);
});
