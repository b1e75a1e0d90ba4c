import assert from 'node:assert/strict';
import { test } from 'node:test';

import { al30, close, day, put } from '../../../test/store/close-samples.ts';
import { openTestStore } from '../../../test/support/program/test-store.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { IndexFollower } from './follow-indices.ts';
import { changeAt } from '../../../test/support/market/test-change.ts';

test('values are read once, and again only after a change of a value', async (t) => {
  await using store = await openTestStore(await temporaryDirectory(t));
  let reads = 0;
  const follower = new IndexFollower({
    revision: () => store.indices.revision(),
    readAll: () => {
      reads += 1;
      return store.indices.readAll();
    },
  });
  const [date, source] = [day('2026-12-15'), 'x'];
  assert.equal(follower.current.valueAt('CER', date), undefined);
  await follower.catchUp();
  await follower.catchUp();
  assert.equal(reads, 1);
  const seen = follower.current;
  await put(store, al30, [close('2026-05-04', 1)]);
  await follower.catchUp();
  assert.equal(follower.current, seen, 'a close changes no index');
  await store.indices.put([{ index: 'CER', day: date, value: 7, source }], changeAt(1));
  await follower.catchUp();
  assert.equal(reads, 2);
  assert.equal(follower.current.valueAt('CER', date), 7);
  assert.notEqual(follower.current.version, seen.version);
  assert.equal(seen.valueAt('CER', date), undefined, 'a series never changes');
});

test('a read that fails is repeated by the next call', async () => {
  let isDown = true;
  const follower = new IndexFollower({
    revision: async () => 1,
    readAll: async () => {
      if (isDown) throw new Error('down');
      return { revision: 1, values: [] };
    },
  });
  await assert.rejects(follower.catchUp(), /down/);
  isDown = false;
  await follower.catchUp();
  assert.equal(follower.current.version, 1);
});
