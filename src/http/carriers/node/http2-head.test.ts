import assert from 'node:assert/strict';
import { test } from 'node:test';

import { LastHead, readHttp2Head } from './http2-head.ts';

const raw = [':method', 'GET', ':path', '/a?b=c', ':scheme', 'https', 'x-y', '1'];

/** The fields as Node's HTTP/2 module gives them: the first value of each name. */
function fieldsOf(list: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let at = 0; at < list.length; at += 2) fields[list[at] ?? ''] ??= list[at + 1] ?? '';
  return fields;
}

function read(list: readonly string[]) {
  return readHttp2Head(fieldsOf(list), list);
}

test('a head has the method, the target, the fields, and the length of all names and values', () => {
  const { method, target, headers, bytes } = read(raw);
  assert.deepEqual(
    { method, target, headers, bytes },
    { method: 'GET', target: '/a?b=c', headers: fieldsOf(raw), bytes: raw.join('').length },
  );
});

test('CONNECT has no path, and its target is an asterisk', () => {
  assert.equal(read([':method', 'CONNECT', ':authority', 'x']).target, '*');
});

test('the lines of a repeated field are one list, except where the first one counts', () => {
  const { headers } = read([
    ...raw,
    'x-y',
    '2',
    'authorization',
    'a',
    'authorization',
    'b',
    'if-modified-since',
    'c',
    'if-modified-since',
    'd',
    'x-y',
    '3',
  ]);
  assert.equal(headers['x-y'], '1, 2, 3');
  assert.equal(headers['authorization'], 'a');
  assert.equal(headers['if-modified-since'], 'c');
});

test('a head that came before is the same object, with what was read from it', () => {
  const last = new LastHead();
  const first = last.of(fieldsOf(raw), raw);
  first.parsed = {};
  assert.equal(last.of(fieldsOf(raw), [...raw]), first);
});

test('a head with one other name, value, order or number of fields is read anew', () => {
  const others = [
    [':method', 'HEAD', ...raw.slice(2)],
    [...raw.slice(0, -1), '2'],
    [...raw.slice(0, -2), 'x-z', '1'],
    [...raw, 'z', ''],
    raw.slice(0, -2),
    [...raw.slice(0, 4), 'x-y', '1', ':scheme', 'https'],
  ];
  for (const other of others) {
    const last = new LastHead();
    const first = last.of(fieldsOf(raw), raw);
    const second = last.of(fieldsOf(other), other);
    assert.notEqual(second, first, String(other));
    assert.deepEqual(second, read(other));
  }
});

test('only the last head is remembered, and none of more than 1,024 characters', () => {
  const last = new LastHead();
  const first = last.of(fieldsOf(raw), raw);
  const other = [...raw, 'z', '1'];
  last.of(fieldsOf(other), other);
  assert.notEqual(last.of(fieldsOf(raw), raw), first);

  for (const [length, isRemembered] of [
    [1_024, true],
    [1_025, false],
  ] as const) {
    const long = [...raw, 'z', 'v'.repeat(length - raw.join('').length - 1)];
    const head = last.of(fieldsOf(long), long);
    assert.equal(head.bytes, length);
    assert.equal(last.of(fieldsOf(long), long) === head, isRemembered);
  }
});
