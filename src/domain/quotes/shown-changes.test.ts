import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showsSameChanges } from './shown-changes.ts';

const changes = { previousClose: 95, change: 5.26, monthToDatePct: -1.5, yearToDatePct: null };

test('two changes are the same if each of their fields is, or if neither exists', () => {
  assert.ok(showsSameChanges(changes, { ...changes }));
  assert.ok(showsSameChanges(undefined, undefined));
  assert.ok(!showsSameChanges(changes, undefined));
  assert.ok(!showsSameChanges(undefined, changes));
  for (const name of Object.keys(changes)) {
    assert.ok(!showsSameChanges(changes, { ...changes, [name]: 1 }), name);
  }
});
