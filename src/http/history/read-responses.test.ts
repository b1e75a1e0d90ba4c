import assert from 'node:assert/strict';
import { test } from 'node:test';

import { clockAt } from '../../../test/support/market/clock-at.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { deferred, until } from '../../../test/support/wait.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { Body } from '../content/body.ts';
import type { Content, Found } from '../content/content.ts';
import { Fields } from '../handler/fields.ts';
import { Overloaded } from '../handler/response-draft.ts';
import type { Caller } from '../handler/visit.ts';
import { ReadQueue, oneSlice } from '../answers/read-queue.ts';
import { ReadResponses } from './read-responses.ts';
import type { ResponseReading, ReadResponse } from './read-responses.ts';

const [a, b] = makeUniverse(['A', 'B'].map((ticker) => ({ ticker }))).instruments;
assert.ok(a !== undefined && b !== undefined);

const caller: Caller = { key: undefined, departure: undefined };

let now = 0;

function responsesOf(bytesMax = 2 ** 20): ReadResponses {
  const queue = new ReadQueue({ readWaitMsMax: 60_000, readsMax: 8, clock: systemClock });
  return new ReadResponses({ clock: clockAt(() => now), queue, bytesMax });
}

function bodyOf(text: string): Body {
  return new Body({ type: 'text/plain', parts: [text], mayCompress: () => false });
}

function responseOf(text: string, further: Partial<ReadResponse> = {}): ReadResponse {
  return { result: { ok: true, value: { body: bodyOf(text), fields: Fields.none } }, ...further };
}

/** A reading whose response has the number of the read. */
function counted(further: Partial<ReadResponse> = {}): {
  reads: number;
  begin: () => ResponseReading;
} {
  const count = {
    reads: 0,
    begin: (): ResponseReading => ({
      instruments: [a as NonNullable<typeof a>],
      read: () => oneSlice(() => responseOf(String((count.reads += 1)), further)),
    }),
  };
  return count;
}

async function contentOf(found: Found): Promise<Content> {
  const read = await found;
  assert.ok(read.ok);
  return read.value;
}

async function textOf(found: Found): Promise<string> {
  const { body } = await contentOf(found);
  return String(body.pick(['identity'])?.parts.join(''));
}

test('a response is read once, and again after a change of one of its instruments, or when it is stale', async () => {
  const responses = responsesOf();
  let isStale = false;
  const { begin } = counted({ isStale: () => isStale });
  assert.equal(await textOf(responses.find('x', caller, begin)), '1');
  assert.ok(!(responses.find('x', caller, begin) instanceof Promise));
  responses.invalidate(['B' as Ticker]);
  assert.equal(await textOf(responses.find('x', caller, begin)), '1');
  responses.invalidate(['B', 'A'] as Ticker[]);
  assert.equal(await textOf(responses.find('x', caller, begin)), '2');
  isStale = true;
  assert.equal(await textOf(responses.find('x', caller, begin)), '3');
  isStale = false;
  responses.clear();
  assert.equal(await textOf(responses.find('x', caller, begin)), '4');
});

test('a response that was being read when its instrument changed is given to who waits, and not cached', async () => {
  const responses = responsesOf();
  const gate = deferred<ReadResponse>();
  const slow = responses.find('x', caller, () => ({
    instruments: [a],
    read: () => oneSlice(() => gate.promise),
  }));
  const same = responses.find('x', caller, () => assert.fail('it is being read'));
  responses.invalidate(['A' as Ticker]);
  const { begin } = counted();
  const later = responses.find('x', caller, begin);
  gate.resolve(responseOf('slow'));
  assert.deepEqual([await textOf(slow), await textOf(same)], ['slow', 'slow']);
  assert.equal(await textOf(later), '1', 'one response is read at a time');
  assert.equal(await textOf(responses.find('x', caller, begin)), '1');
});

test('a read that fails is tried again, and does not keep others from being read', async () => {
  const responses = responsesOf();
  const failing = responses.find('x', caller, () => ({
    instruments: [],
    read: () =>
      oneSlice(() => {
        throw new Error('broken');
      }),
  }));
  const { begin } = counted();
  const next = responses.find('y', caller, begin);
  await assert.rejects(Promise.resolve(failing), /broken/);
  assert.equal(await textOf(next), '1');
  assert.equal(await textOf(responses.find('x', caller, begin)), '2');
});

test('a response is read until all who wait for it have left, and not cached then', async () => {
  const responses = responsesOf();
  const gate = deferred<void>();
  const slices: number[] = [];
  const begin = (): ResponseReading => ({
    instruments: [],
    async *read() {
      slices.push(1);
      await gate.promise;
      yield;
      slices.push(2);
      yield;
      return responseOf('read');
    },
  });
  const [one, other] = [1, 2].map(() => ({ onLeave: undefined as (() => void) | undefined }));
  assert.ok(one !== undefined && other !== undefined);
  const found = [one, other].map((departure) =>
    Promise.resolve(responses.find('x', { key: undefined, departure }, begin)),
  );
  const refused = found.map((each) => assert.rejects(each, Overloaded));
  await until('the first slice', () => slices.length === 1, { everyTurn: true });
  one.onLeave?.();
  gate.resolve();
  await until('the second slice', () => slices.length === 2, { everyTurn: true });
  other.onLeave?.();
  await Promise.all(refused);
  assert.deepEqual([one.onLeave, other.onLeave], [undefined, undefined]);
  assert.equal(await textOf(responses.find('x', caller, counted().begin)), '1');
});

test('a response has a date when its second has passed, if it is to have one', async () => {
  const responses = responsesOf();
  now = 1_500;
  const result = {
    ok: true,
    value: { body: bodyOf('x'), fields: Fields.of({ own: '1' }), readAt: now },
  } as const;
  const begin = (): ResponseReading => ({
    instruments: [],
    read: () => oneSlice(() => ({ result })),
  });
  assert.deepEqual((await contentOf(responses.find('x', caller, begin))).fields.list, ['own', '1']);
  now = 2_000;
  const dated = await contentOf(responses.find('x', caller, begin));
  assert.equal(dated.lastModified, 2_000);
  assert.deepEqual(dated.fields.list, [
    'last-modified',
    'Thu, 01 Jan 1970 00:00:02 GMT',
    'own',
    '1',
  ]);
  const undated = await contentOf(responses.find('y', caller, counted().begin));
  assert.equal(undated.lastModified, undefined);
});

test('beyond the limit of bytes, the least recently used response is read again', async () => {
  const responses = responsesOf(5_000);
  const { begin } = counted();
  for (const key of ['x', 'y', 'x', 'z', 'x']) await textOf(responses.find(key, caller, begin));
  assert.equal(await textOf(responses.find('x', caller, begin)), '1');
  assert.equal(await textOf(responses.find('y', caller, begin)), '4');
});

test('a body that grows is weighed again', async () => {
  const responses = responsesOf(5_000);
  let grow: (() => void) | undefined;
  const big = 'x'.repeat(4_000);
  let isBig = false;
  const value = {
    fields: Fields.none,
    get body() {
      return bodyOf(isBig ? big : 'x');
    },
  };
  await responses.find('x', caller, () => ({
    instruments: [],
    read: (onGrowth) =>
      oneSlice(() => {
        grow = onGrowth;
        return { result: { ok: true, value } };
      }),
  }));
  isBig = true;
  grow?.();
  assert.ok(
    responses.find('x', caller, counted().begin) instanceof Promise,
    'it does not fit any more',
  );
});
