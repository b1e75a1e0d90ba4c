import assert from 'node:assert/strict';
import { test } from 'node:test';

import { al30, allDays, close, put } from './close-samples.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { openPlace } from '../../src/node/place/open-place.ts';
import { StoreDamage, StoreFault } from '../../src/store/contract/store-fault.ts';

test('once damage is found, closes and bars are refused, and keys and quotes are still read', async (t) => {
  const damage = new StoreDamage();
  await using place = openPlace(await temporaryDirectory(t), damage);
  await using store = await place.open({ mode: 'create' });
  await put(store, al30, [close('2026-05-04', 1)]);
  const seen: string[] = [];
  damage.onFound(({ message }) => seen.push(message));
  damage.note(new StoreFault('busy', 'a lock'));
  assert.equal((await store.history.readCloses(al30, allDays)).length, 1);
  damage.note(new StoreFault('corrupt', 'a page'));
  damage.note(new StoreFault('corrupt', 'another page'));
  damage.onFound(({ message }) => seen.push(`${message}, late`));
  assert.deepEqual(seen, ['a page', 'a page, late']);
  const refused = { code: 'corrupt', message: 'a page' };
  await assert.rejects(store.history.readCloses(al30, allDays), refused);
  await assert.rejects(store.history.readSeries(al30, allDays), refused);
  await assert.rejects(store.bars.readBars(al30, allDays), refused);
  assert.deepEqual((await store.keys.readAll()).keys, []);
  assert.deepEqual(await store.quotes.readAll(), []);
});
