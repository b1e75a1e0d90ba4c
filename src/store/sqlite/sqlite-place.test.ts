import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import { testPlace } from '../../../test/store/suites/place-suite.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { databaseFileName } from './file/database-file.ts';
import { schemaVersion } from './schema/schema.ts';
import { SqlitePlace } from './sqlite-place.ts';

const me = { id: 'one', name: 'here' };

testPlace('sqlite', async (t) => {
  const directory = join(await temporaryDirectory(t), 'data');
  return { another: () => new SqlitePlace(directory) };
});

test('looking at a place that does not exist creates no directory', async (t) => {
  const parent = await temporaryDirectory(t);
  await using place = new SqlitePlace(join(parent, 'data'));
  assert.equal(await place.holder(), undefined);
  assert.deepEqual(await place.nodes.live(), []);
  assert.equal(await place.notes.read('a-note'), undefined);
  await assert.rejects(place.open({ mode: 'read' }), { code: 'absent' });
  assert.equal((await place.examine()).isReachable, false);
  assert.deepEqual(await readdir(parent), []);
});

test('the record of a killed service counts neither as a node nor as a holder', async (t) => {
  const directory = await temporaryDirectory(t);
  await using place = new SqlitePlace(directory);
  const claim = await place.claim(me);
  const node = {
    instance: 'killed',
    role: 'all',
    host: 'here',
    pid: 1,
    version: '1',
    url: 'http://127.0.0.1:1',
    privateUrl: 'http://127.0.0.1:2',
    advertisedUrl: 'http://a.example',
    advertisedPrivateUrl: 'http://b.example',
    tlsCert: '',
    privateTlsCert: '',
  } as const;
  await place.nodes.register(node, () => assert.fail());
  // A killed process releases its lock, and disposes nothing.
  claim[Symbol.dispose]();
  assert.deepEqual(await place.nodes.live(), []);
  assert.equal(await place.holder(), undefined);
  await using _ = await place.claim(me);
  assert.deepEqual(await place.nodes.live(), [], 'the record is not that of the new holder');
});

test('a store of another schema is refused in every mode, also with a claim, and stays as it is', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, databaseFileName);
  await using place = new SqlitePlace(directory);
  await using claim = await place.claim(me);
  await (await place.open({ mode: 'create', claim }))[Symbol.asyncDispose]();
  for (const [version, code] of [
    [schemaVersion - 1, 'schema-older'],
    [schemaVersion + 1, 'schema-newer'],
  ] as const) {
    {
      using database = new DatabaseSync(path);
      database.exec(`PRAGMA user_version = ${version}`);
    }
    const before = await readFile(path);
    for (const mode of ['read', 'write', 'create'] as const) {
      await assert.rejects(place.open({ mode }), { code }, mode);
      await assert.rejects(place.open({ mode, claim }), { code }, mode);
    }
    await assert.rejects(place.inspect(), { code });
    assert.deepEqual(await readFile(path), before);
  }
});
