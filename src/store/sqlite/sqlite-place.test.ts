import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import { testPlace } from '../../../test/store/suites/place-suite.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { databaseFileName } from './file/database-file.ts';
import { migrate } from './schema/migrate.ts';
import { migrations } from './schema/migrations.ts';
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

test('only with a claim does opening upgrade an older schema, and never to read', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, databaseFileName);
  {
    using database = new DatabaseSync(path);
    database.exec('PRAGMA journal_mode = WAL');
    migrate(database, path, migrations.slice(0, -1));
  }
  await using place = new SqlitePlace(directory);
  await using claim = await place.claim(me);
  const modes = ['read', 'write', 'create'] as const;
  for (const mode of modes) {
    await assert.rejects(place.open({ mode }), { code: 'schema-older' }, mode);
  }
  await assert.rejects(place.open({ mode: 'read', claim }), { code: 'schema-older' });
  await using _ = await place.open({ mode: 'write', claim });
  assert.equal((await place.inspect()).schema, migrations.length);
});
