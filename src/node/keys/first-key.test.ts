import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { silentLog } from '../../lib/reports/log.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { makeFirstKey } from './first-key.ts';
import { addKey } from './keys.ts';

/** The part of a start that creates the first key, over a store. */
async function openStarts(t: TestContext) {
  const store = await openSqliteStore({ directory: await temporaryDirectory(t) });
  t.after(() => store[Symbol.asyncDispose]());
  const warnings: { readonly details: object; readonly message: string }[] = [];
  const log = {
    ...silentLog,
    warn: (details: object, message: string) => void warnings.push({ details, message }),
  };
  const start = async ({ canShow = true } = {}) => {
    warnings.length = 0;
    const idsWhenAccepted: string[] = [];
    const untilAccepted = async (): Promise<void> => {
      for (const { id } of (await store.keys.readAll()).keys) idsWhenAccepted.push(id);
    };
    const key = await makeFirstKey(store.keys, { canShow, untilAccepted, log });
    return { key, idsWhenAccepted, warnings: [...warnings] };
  };
  return { keys: store.keys, start };
}

test('a new installation gets one key, which is stored before the processes are asked to accept it', async (t) => {
  const { keys, start } = await openStarts(t);
  const { key, idsWhenAccepted, warnings } = await start();
  assert.ok(key !== undefined);
  assert.deepEqual(idsWhenAccepted, [key.id]);
  assert.deepEqual(warnings, []);
  assert.equal((await keys.readAll()).keys.length, 1);
});

test('of two nodes that start at once over an empty place, one creates a key', async (t) => {
  const { keys, start } = await openStarts(t);
  const [one, two] = await Promise.all([start(), start()]);
  assert.equal([one.key, two.key].filter((key) => key !== undefined).length, 1);
  assert.equal((await keys.readAll()).keys.length, 1);
});

test('each later start names a first key that was never used, and says how to create another', async (t) => {
  const { keys, start } = await openStarts(t);
  const { key: first } = await start();
  const { key, warnings } = await start();
  assert.equal(key, undefined, 'it may have been seen, so it is not replaced');
  assert.deepEqual(warnings[0]?.details, { keyId: first?.id });
  assert.match(warnings[0]?.message ?? '', /never used.*"pizarra keys create --name NAME"/);
  await keys.noteUses([{ id: first?.id ?? '', at: 1 }]);
  assert.deepEqual((await start()).warnings, [], 'it was used');
});

test('a key that an operator created is never mentioned, used or not', async (t) => {
  const { keys, start } = await openStarts(t);
  await addKey(keys, { name: 'mine', scope: 'read' }, 'root@desk cli[1]');
  assert.deepEqual(await start(), { key: undefined, idsWhenAccepted: [], warnings: [] });
});

test('if the key cannot be shown, none is stored, and the next start that can show a key creates one', async (t) => {
  const { keys, start } = await openStarts(t);
  const { key, warnings } = await start({ canShow: false });
  assert.equal(key, undefined);
  assert.match(
    warnings[0]?.message ?? '',
    /no API key exists: create one with "pizarra keys create/,
  );
  assert.equal((await keys.readAll()).keys.length, 0);
  assert.ok((await start()).key !== undefined);
});
