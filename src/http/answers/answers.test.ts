import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nobody, testAnswering } from '../../../test/support/http/answering.ts';
import { clockAt } from '../../../test/support/market/clock-at.ts';
import { deferred, until } from '../../../test/support/wait.ts';
import { operation } from '../../contract/operation.ts';
import { once } from '../../contract/parts.ts';
import { number, Table, text as textField } from '../../contract/table.ts';
import type { Departure } from '../handler/request.ts';
import type { Content } from '../content/content.ts';
import {
  answers,
  type AnsweringRoute,
  type ResponseMemory,
  type ResponseSource,
} from './answers.ts';

interface Row {
  readonly value: number;
}

const about = { schema: { type: 'number' }, es: 'Valor.', en: 'Value.' };
const columns = { valor: number<Row>(({ value }) => value, about) };
const table = new Table<Row>(columns);
const texts = { schema: { type: 'string' }, es: 'Nombre.', en: 'Name.' };
const named = operation({
  path: '/nombres',
  clause: '0',
  params: {
    name: once(
      'nombre',
      (value) =>
        value === 'malo' ? { ok: false, problem: { type: 'search-empty' } } : { ok: true, value },
      texts,
    ),
  },
  tables: { Valor: table },
});

/** What an answer is made of, and how often it was made. */
interface Made {
  inputs: readonly unknown[];
  value: number;
  count: number;
}

function start(
  open: (made: Made, name: string | undefined) => ResponseSource,
  options: Parameters<typeof testAnswering>[0] = {},
): { readonly source: AnsweringRoute; readonly made: Made; readonly memory: ResponseMemory } {
  const made: Made = { inputs: [1], value: 1, count: 0 };
  const answering = testAnswering(options);
  const source = answers(named, ({ name }) => open(made, name), answering);
  return { source, made, memory: answering.memory };
}

/** Made at once. */
function atOnce(made: Made): ResponseSource {
  return {
    madeOf: () => made.inputs,
    answer: () => {
      made.count += 1;
      return { rows: table.of([{ value: made.value }]) };
    },
  };
}

function contentOf(found: ReturnType<AnsweringRoute['find']>): Content {
  assert.ok(!(found instanceof Promise) && found.ok);
  return found.value;
}

const textOf = ({ body }: Content): string => String(body.pick(['identity'])?.parts);

test('an answer is made once while all that it was made of is the same, by identity', () => {
  const { source, made } = start(atOnce);
  const first = contentOf(source.find('', 'json', nobody));
  made.value = 2;
  for (const inputs of [[1], [1]]) {
    made.inputs = inputs;
    assert.equal(contentOf(source.find('', 'json', nobody)), first);
  }
  for (const [inputs, value] of [
    [[2], 2],
    [[2, undefined], 3],
    [[2, {}], 4],
    [[2, {}], 5],
    [[Number.NaN], 6],
  ] as const) {
    made.inputs = inputs;
    made.value = value;
    assert.equal(textOf(contentOf(source.find('', 'json', nobody))), `[{"valor":${value}}]`);
  }
  const count = made.count;
  contentOf(source.find('', 'json', nobody));
  assert.equal(made.count, count, 'NaN is the same as NaN');
});

test('an answer whose text is the same keeps its body, with the tag and the encodings', () => {
  const { source, made } = start(atOnce);
  const { body } = contentOf(source.find('', 'json', nobody));
  made.inputs = [2];
  assert.equal(contentOf(source.find('', 'json', nobody)).body, body);
  made.inputs = [3];
  made.value = 2;
  assert.notEqual(contentOf(source.find('', 'json', nobody)).body, body);
});

test('unknown parameters and their order make no further answers', () => {
  const { source, made } = start(atOnce);
  const queries = ['nombre=a', 'nombre=a&_=1', '_=2&nombre=a', 'nombre=%61', '_=3&nombre=a&_=4'];
  const bodies = queries.map((query) => contentOf(source.find(query, 'json', nobody)).body);
  assert.equal(new Set(bodies).size, 1);
  assert.equal(made.count, 1);
  contentOf(source.find('nombre=b', 'json', nobody));
  assert.equal(made.count, 2);
});

test('a problem is not remembered as an answer', () => {
  const { source, made } = start(atOnce);
  for (let round = 0; round < 2; round += 1) {
    const found = source.find('nombre=malo', 'json', nobody);
    assert.deepEqual(found, { ok: false, problem: { type: 'search-empty' } });
  }
  assert.equal(made.count, 0);
});

test('an answer from memory may be a problem while what it is made of says so', () => {
  const { source, made } = start((of) => ({
    madeOf: () => of.inputs,
    answer: () => {
      of.count += 1;
      return of.value === 0
        ? { ok: false, problem: { type: 'search-empty' } }
        : { rows: table.of([{ value: of.value }]) };
    },
  }));
  made.value = 0;
  for (let round = 0; round < 2; round += 1) {
    const found = source.find('', 'json', nobody);
    assert.deepEqual(found, { ok: false, problem: { type: 'search-empty' } });
  }
  made.inputs = [2];
  made.value = 3;
  assert.equal(textOf(contentOf(source.find('', 'json', nobody))), '[{"valor":3}]');
  assert.equal(made.count, 2);
});

test('rows whose texts are kept are not rendered again while they are the same rows', () => {
  let rendered = 0;
  const kept = new Table<Row>(
    {
      valor: number<Row>(({ value }) => {
        rendered += 1;
        return value;
      }, about),
    },
    { keepsTexts: true },
  );
  const rows = [{ value: 1 }, { value: 2 }];
  let shown: readonly Row[] = rows;
  const { source, made } = start((of) => ({
    madeOf: () => of.inputs,
    answer: () => ({ rows: kept.of(shown) }),
  }));
  const { body } = contentOf(source.find('', 'json', nobody));
  made.inputs = [2];
  shown = [...rows];
  assert.equal(contentOf(source.find('', 'json', nobody)).body, body);
  made.inputs = [3];
  shown = [...rows, { value: 3 }];
  assert.equal(
    textOf(contentOf(source.find('', 'json', nobody))),
    '[{"valor":1},{"valor":2},{"valor":3}]',
  );
  assert.equal(rendered, 3);
});

/** A read that ends when its value is set: a negative one is a problem, NaN a fault. */
interface Gate {
  value?: number;
}

/** Has to be read. */
function readFirst(gates: Gate[]): (made: Made) => ResponseSource {
  return (made) => ({
    madeOf: () => made.inputs,
    answer: () => ({
      async *read() {
        made.count += 1;
        const gate: Gate = {};
        gates.push(gate);
        while (gate.value === undefined) yield;
        const { value } = gate;
        if (Number.isNaN(value)) throw new Error('the store does not respond');
        if (value < 0) return { ok: false, problem: { type: 'search-empty' } };
        return { rows: table.of([{ value }]), readAt: 5_400 };
      },
    }),
  });
}

function release(gate: Gate | undefined, value: number): void {
  assert.ok(gate !== undefined);
  gate.value = value;
}

const begun = (gates: readonly Gate[], count: number): Promise<unknown> =>
  until('the read begins', () => gates.length === count, { everyTurn: true });

/** A client with a key of its own, who may leave. */
function client(id: string): { key: never; departure: Departure } {
  return { key: { id } as never, departure: { onLeave: undefined } };
}

test('requests share the read of an answer that is under way, and its problem is remembered, too', async () => {
  for (const value of [7, -1]) {
    const gates: Gate[] = [];
    const { source, made } = start(readFirst(gates));
    const found = ['nombre=a', 'nombre=a&_=1'].map(async (query) =>
      source.find(query, 'json', nobody),
    );
    await begun(gates, 1);
    release(gates[0], value);
    const [one, other] = await Promise.all(found);
    assert.deepEqual(one, other);
    assert.equal(one?.ok, value > 0);
    assert.deepEqual(source.find('nombre=a', 'json', nobody), one);
    assert.equal(made.count, 1);
  }
});

test('a change during a read gives later requests a read of their own, whichever ends first', async () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const gates: Gate[] = [];
    const { source, made } = start(readFirst(gates));
    const before = source.find('', 'json', client('a'));
    await begun(gates, 1);
    made.inputs = [2];
    const after = source.find('', 'json', client('b'));
    await begun(gates, 2);
    for (const at of order) {
      release(gates[at], [10, 20][at] ?? 0);
      await (at === 0 ? before : after);
    }
    const [old, fresh] = [await before, await after];
    assert.ok(old.ok && fresh.ok);
    assert.equal(textOf(old.value), '[{"valor":10}]');
    assert.equal(textOf(fresh.value), '[{"valor":20}]');
    assert.equal(textOf(contentOf(source.find('', 'json', nobody))), '[{"valor":20}]');
  }
});

test('a fault is not kept', async () => {
  const gates: Gate[] = [];
  const { source } = start(readFirst(gates));
  const first = source.find('', 'json', nobody);
  await begun(gates, 1);
  release(gates[0], Number.NaN);
  await assert.rejects(async () => first, /does not respond/);
  const second = source.find('', 'json', nobody);
  await begun(gates, 2);
  release(gates[1], 2);
  assert.ok((await second).ok);
});

test('a read ends when all clients that wait for it have left, and the next request reads again', async () => {
  const gates: Gate[] = [];
  const { source, made } = start(readFirst(gates));
  const [a, b] = [client('a'), client('b')];
  const found = [a, b].map(async (one) => source.find('', 'json', one));
  await begun(gates, 1);
  a.departure.onLeave?.();
  const settled = Promise.allSettled(found);
  b.departure.onLeave?.();
  assert.deepEqual(
    (await settled).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  const again = source.find('', 'json', nobody);
  await begun(gates, 2);
  release(gates[1], 3);
  assert.ok((await again).ok);
  assert.equal(made.count, 2);
});

test('a client that leaves does not end the read of another', async () => {
  const gates: Gate[] = [];
  const { source } = start(readFirst(gates));
  const [a, b] = [client('a'), client('b')];
  const found = [a, b].map(async (one) => source.find('', 'json', one));
  await begun(gates, 1);
  a.departure.onLeave?.();
  release(gates[0], 4);
  assert.ok((await Promise.all(found)).every(({ ok }) => ok));
  assert.deepEqual(
    [a, b].map(({ departure }) => departure.onLeave),
    [undefined, undefined],
  );
});

test('contract 4.5.4: Last-Modified appears when the second of the read has passed', async () => {
  const gates: Gate[] = [];
  let now = 5_400;
  const { source } = start(readFirst(gates), { clock: clockAt(() => now) });
  const first = source.find('', 'json', nobody);
  await begun(gates, 1);
  release(gates[0], 1);
  const early = await first;
  assert.ok(early.ok && early.value.lastModified === undefined);
  now = 6_000;
  for (let round = 0; round < 2; round += 1) {
    const { lastModified, fields } = contentOf(source.find('', 'json', nobody));
    assert.equal(lastModified, 6_000);
    assert.deepEqual(fields.list, ['last-modified', 'Thu, 01 Jan 1970 00:00:06 GMT']);
  }
});

test('one limit of bytes applies to the answers of all paths: the one that was used least recently is dropped', () => {
  const { source, made } = start(atOnce, { bytesMax: 3_000 });
  const find = (name: string): void =>
    void contentOf(source.find(`nombre=${name}`, 'json', nobody));
  for (const name of ['a', 'b', 'c']) find(name);
  assert.equal(made.count, 3);
  find('c');
  assert.equal(made.count, 3);
  find('a');
  assert.equal(made.count, 4, 'it was dropped');
});

test('the limit counts the bytes of the bodies', () => {
  const long = new Table<{ readonly name: string }>({
    valor: textField(({ name }) => name.repeat(6_000), about),
  });
  const made: string[] = [];
  const answering = testAnswering({ bytesMax: 20_000 });
  const source = answers(
    named,
    ({ name = '' }) => ({
      madeOf: () => [],
      answer: () => {
        made.push(name);
        return { rows: long.of([{ name }]) };
      },
    }),
    answering,
  );
  for (const name of ['a', 'b', 'c', 'c', 'b', 'a']) {
    contentOf(source.find(`nombre=${name}`, 'json', nobody));
  }
  assert.equal(made.join(''), 'abca');
});

test('an answer whose compressed forms do not fit the limit is dropped', async () => {
  const rows = Array.from({ length: 1_000 }, (_, value) => ({ value }));
  const text = table.render(rows, 'json');
  const { source, made } = start(
    (of) => ({
      madeOf: () => [],
      answer: () => {
        of.count += 1;
        return { rows: table.of(rows) };
      },
    }),
    { bytesMax: text.length + 1_200 },
  );
  const { body } = contentOf(source.find('', 'json', nobody));
  assert.equal(contentOf(source.find('', 'json', nobody)).body, body);
  await body.make('gzip');
  contentOf(source.find('', 'json', nobody));
  assert.equal(made.count, 2);
});

test('an answer that does not fit the limit is given all the same, and never kept', () => {
  const { source, made } = start(atOnce, { bytesMax: 100 });
  for (let round = 1; round <= 2; round += 1) {
    assert.equal(textOf(contentOf(source.find('', 'json', nobody))), '[{"valor":1}]');
    assert.equal(made.count, round);
  }
});

test('a long query is answered without being remembered', () => {
  const { source, made } = start(atOnce);
  const query = `nombre=${'a'.repeat(9_000)}`;
  for (let round = 1; round <= 2; round += 1) {
    contentOf(source.find(query, 'json', nobody));
    assert.equal(made.count, round);
  }
});

test('after the memory is cleared, everything is made again', () => {
  const { source, made, memory } = start(atOnce);
  contentOf(source.find('', 'json', nobody));
  memory.clear();
  contentOf(source.find('', 'json', nobody));
  assert.equal(made.count, 2);
});

test('what is being read when the memory is cleared is given to who waits, and not kept', async () => {
  const gates: Gate[] = [];
  const { source, made, memory } = start(readFirst(gates));
  const before = source.find('', 'json', nobody);
  await begun(gates, 1);
  memory.clear();
  release(gates[0], 1);
  assert.ok((await before).ok);
  const after = source.find('', 'json', nobody);
  await begun(gates, 2);
  release(gates[1], 2);
  const found = await after;
  assert.ok(found.ok);
  assert.equal(textOf(found.value), '[{"valor":2}]');
  assert.equal(made.count, 2);
});

test('an answer that is read at once waits for no turn, and is shared and kept as others are', async () => {
  const reads: PromiseWithResolvers<number>[] = [];
  const { source, made } = start((of) => ({
    madeOf: () => of.inputs,
    answer: () => {
      const read = deferred<number>();
      reads.push(read);
      return read.promise.then((value) => ({ rows: table.of([{ value }]) }));
    },
  }));
  const found = [source.find('', 'json', nobody), source.find('', 'json', nobody)];
  assert.equal(reads.length, 1);
  reads[0]?.resolve(7);
  for (const one of found) assert.ok((await one).ok);
  assert.equal(textOf(contentOf(source.find('', 'json', nobody))), '[{"valor":7}]');
  made.inputs = [2];
  const failing = source.find('', 'json', nobody);
  reads[1]?.reject(new Error('gone'));
  await assert.rejects(async () => failing, /gone/);
  assert.ok(source.find('', 'json', nobody) instanceof Promise, 'a read that failed was kept');
});

/** A value that counts its reads, and what it was made of. */
function startShared(options: Parameters<typeof testAnswering>[0] = {}): {
  readonly get: (madeOf: unknown, key?: string) => object | Promise<object>;
  readonly reads: (object | undefined)[];
} {
  const { memory } = testAnswering(options);
  const reads: (object | undefined)[] = [];
  return {
    reads,
    get: (madeOf, key = 'key') =>
      memory.share<{ readonly count: number }>(key, {
        madeOf: [madeOf],
        read: (before) => {
          reads.push(before);
          if (madeOf === 'bad') return Promise.reject(new Error('gone'));
          return Promise.resolve({ count: reads.length });
        },
        bytesOf: () => 1_000,
      }),
  };
}

test('what answers share is read once while it is made of the same, and then from the value before', async () => {
  const { get, reads } = startShared();
  const [one, two] = await Promise.all([get(1), get(1)]);
  assert.deepEqual([one, reads], [{ count: 1 }, [undefined]]);
  assert.equal(one, two);
  assert.equal(get(1), one, 'it is given without a promise');
  assert.deepEqual(await get(2), { count: 2 });
  assert.deepEqual(reads, [undefined, one]);
});

test('of two reads of what answers share the later one is kept, whichever ends first', async () => {
  const { get } = startShared();
  const [before, after] = [get(1), get(2)];
  await Promise.all([before, after]);
  assert.deepEqual(get(2), { count: 2 });
});

test('a read of what answers share that failed is tried again', async () => {
  const { get, reads } = startShared();
  await assert.rejects(async () => get('bad'), /gone/);
  await assert.rejects(async () => get('bad'), /gone/);
  assert.equal(reads.length, 2);
});

test('what answers share counts for the same limit of bytes', async () => {
  const { get, reads } = startShared({ bytesMax: 5_000 });
  await get(1, 'a');
  await get(1, 'b');
  await get(1, 'c');
  await get(1, 'a');
  assert.equal(reads.length, 4, 'it was dropped');
  await get(1, 'c');
  assert.equal(reads.length, 4);
});
