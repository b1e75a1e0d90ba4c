import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isStorageRefused, storedValue, type StoredForm } from './stored-value.ts';

const form: StoredForm<readonly string[]> = {
  name: 'x',
  initial: [],
  read: (value) =>
    Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined,
};

function makeStore(entries: Readonly<Record<string, string>> = {}) {
  const map = new Map(Object.entries(entries));
  return {
    map,
    getItem: (name: string) => map.get(name) ?? null,
    setItem: (name: string, text: string) => void map.set(name, text),
  };
}

test('a value is read from the storage, and each change is stored', () => {
  const store = makeStore({ x: '["a"]' });
  const value = storedValue(form, store, new EventTarget());
  assert.deepEqual(value.value, ['a']);
  value.value = ['a', 'b'];
  assert.equal(store.map.get('x'), '["a","b"]');
});

test('nothing is stored before the first change', () => {
  const store = makeStore();
  storedValue(form, store, new EventTarget());
  assert.equal(store.map.size, 0);
});

test('an invalid text is kept in another entry before it is replaced', () => {
  for (const text of ['{"not":"a list"}', '[1]', 'no JSON']) {
    const store = makeStore({ x: text });
    const value = storedValue(form, store, new EventTarget());
    assert.deepEqual(value.value, []);
    value.value = ['a'];
    assert.equal(store.map.get('x.invalid'), text);
    assert.equal(store.map.get('x'), '["a"]');
  }
});

test('a change in another tab is adopted, and not stored again', () => {
  const store = makeStore({ x: '["a"]' });
  const tabs = new EventTarget();
  const value = storedValue(form, store, tabs);
  store.map.set('x', '[ "b" ]');
  tabs.dispatchEvent(Object.assign(new Event('storage'), { key: 'y' }));
  assert.deepEqual(value.value, ['a']);
  tabs.dispatchEvent(Object.assign(new Event('storage'), { key: 'x' }));
  assert.deepEqual(value.value, ['b']);
});

test('the entry can be read before the browser reports a change of another tab', () => {
  const store = makeStore({ x: '["a"]' });
  const value = storedValue(form, store, new EventTarget());
  store.map.set('x', '["b"]');
  assert.deepEqual(value.value, ['a']);
  value.readAgain();
  assert.deepEqual(value.value, ['b']);
  store.map.delete('x');
  value.readAgain();
  assert.deepEqual(value.value, ['b']);
});

test('a value that the storage refused stays when the entry is read again', () => {
  const full = {
    getItem: () => '["a"]',
    setItem: () => {
      throw new Error('full');
    },
  };
  const value = storedValue(form, full, new EventTarget());
  value.value = ['b'];
  value.readAgain();
  assert.deepEqual(value.value, ['b']);
});

test('a full storage is reported, and the value changes nevertheless', () => {
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error('full');
    },
  };
  const value = storedValue(form, full, new EventTarget());
  value.value = ['a'];
  assert.deepEqual(value.value, ['a']);
  assert.equal(isStorageRefused.value, true);
});
