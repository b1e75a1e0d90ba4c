import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monthOfName } from './date-format.ts';

test('months are parsed in English and Spanish, in full and in three letters, in any case', () => {
  for (const language of ['en', 'es-AR']) {
    for (let month = 1; month <= 12; month += 1) {
      const date = new Date(Date.UTC(2026, month - 1, 15));
      const name = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(
        date,
      );
      for (const one of [name, name.slice(0, 3), name.toUpperCase()]) {
        assert.equal(monthOfName(one), month, one);
      }
    }
  }
  for (const name of ['set', 'sept', 'Setiembre']) assert.equal(monthOfName(name), 9);
  for (const name of ['', 'x', 'sep.', 'janu', 'toString'])
    assert.equal(monthOfName(name), undefined);
});
