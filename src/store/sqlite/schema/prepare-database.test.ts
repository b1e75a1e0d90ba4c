import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { test } from 'node:test';

import { temporaryDirectory } from '../../../../test/store/temporary-directory.ts';
import { StoreFault, type StoreFaultCode } from '../../contract/store-fault.ts';
import { createSchema, hasSchema, requireSchema } from './prepare-database.ts';
import { schemaVersion } from './schema.ts';

const path = '/var/lib/quotes/pizarra.db';

function inMemory(): DatabaseSync {
  return new DatabaseSync(':memory:', { returnArrays: true });
}

function setVersion(database: DatabaseSync, version: number): void {
  database.exec(`PRAGMA user_version = ${version}`);
}

test('a schema that another program creates during the check is found wholly or not at all', async (t) => {
  const directory = await temporaryDirectory(t);
  const found: boolean[] = [];
  for (const at of [0, 1, 2]) {
    const file = join(directory, `${at}.db`);
    using creator = new DatabaseSync(file);
    using checker = new InterruptedDatabase(file, at, () => createSchema(creator, file));
    found.push(hasSchema(checker, file));
  }
  assert.equal(found[0], true, 'the other program was in time');
});

/** A database of which another program changes the file when a statement has been prepared. */
class InterruptedDatabase extends DatabaseSync {
  readonly #interrupt: () => void;
  #left: number;

  constructor(file: string, left: number, interrupt: () => void) {
    super(file);
    this.#left = left;
    this.#interrupt = interrupt;
  }

  override prepare(sql: string): StatementSync {
    const statement = super.prepare(sql);
    if (this.#left === 0) this.#interrupt();
    this.#left -= 1;
    return statement;
  }
}

test('a schema that cannot be created leaves the database as it was', () => {
  using database = inMemory();
  database.exec(
    'CREATE TEMP TABLE revisions (subject TEXT PRIMARY KEY, value TEXT CHECK (value < 0))',
  );
  assert.throws(() => createSchema(database, path), /CHECK constraint failed/);
  assert.deepEqual(tablesOf(database), []);
  assert.equal(hasSchema(database, path), false);
  assert.equal(database.isTransaction, false);
});

test('an older or a newer schema is refused with what to do, and not changed', () => {
  using database = inMemory();
  createSchema(database, path);
  const before = tablesOf(database);
  for (const [version, code, message] of [
    [
      schemaVersion - 1,
      'schema-older',
      /^\/var\/lib\/quotes has schema 12 of an older version of Pizarra, and this version needs schema 13\. Run "pizarra export --with-changes" of the older version, and "pizarra import" of this version into an empty data directory$/,
    ],
    [1, 'schema-older', /^\/var\/lib\/quotes has schema 1 of an older version/],
    [
      schemaVersion + 1,
      'schema-newer',
      /^\/var\/lib\/quotes\/pizarra\.db was written by a newer .*schema 14.*supports schema 13/,
    ],
  ] as const) {
    setVersion(database, version);
    for (const run of [createSchema, hasSchema, requireSchema]) {
      throwsFault(() => run(database, path), code, message);
    }
    const [found] = Object.values(database.prepare('PRAGMA user_version').get() ?? {});
    assert.equal(found, version);
    assert.deepEqual(tablesOf(database), before);
  }
  setVersion(database, 11);
  const backup = /^\/backups\/one\.db has schema 11 of an older version/;
  throwsFault(() => hasSchema(database, '/backups/one.db'), 'schema-older', backup);
});

test('a database of another program is refused and not changed', () => {
  using foreign = inMemory();
  foreign.exec('CREATE TABLE cookies (x INTEGER)');
  throwsFault(() => createSchema(foreign, path), 'corrupt', /of another program, not of Pizarra/);
  assert.deepEqual(tablesOf(foreign), ['cookies']);
  using marked = inMemory();
  marked.exec('PRAGMA application_id = 1');
  throwsFault(() => createSchema(marked, path), 'corrupt', /of another program, not of Pizarra/);
});

test('an empty database is refused as absent until its schema is created, once', () => {
  using database = inMemory();
  throwsFault(() => requireSchema(database, path), 'absent', /no store/);
  createSchema(database, path);
  createSchema(database, path);
  requireSchema(database, path);
  assert.ok(tablesOf(database).includes('closes'));
});

function tablesOf(database: DatabaseSync): readonly unknown[] {
  return database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
    .all()
    .flatMap((row) => Object.values(row));
}

function throwsFault(run: () => void, code: StoreFaultCode, message: RegExp): void {
  assert.throws(run, (error) => {
    assert.ok(error instanceof StoreFault);
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });
}
