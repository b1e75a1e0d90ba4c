import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StatementSync } from 'node:sqlite';
import { test } from 'node:test';

import { temporaryDirectory } from '../../../../test/store/temporary-directory.ts';
import { StoreFault } from '../../contract/store-fault.ts';
import type { StoreFaultCode } from '../../contract/store-fault.ts';
import { checkSchema, createSchema, migrate, requireSchema } from './migrate.ts';

const path = 'a.db';
const steps = ['CREATE TABLE a (x INTEGER)', 'CREATE TABLE b (x INTEGER)'];

test('an empty database gets every step, and an older one the steps that it lacks', () => {
  using database = new DatabaseSync(':memory:');
  migrate(database, path, steps.slice(0, 1));
  assert.deepEqual(tablesOf(database), ['a']);
  database.exec('INSERT INTO a VALUES (7)');
  migrate(database, path, steps);
  assert.deepEqual(tablesOf(database), ['a', 'b']);
  assert.equal(checkSchema(database, path, 2), 2);
  assert.equal(database.prepare('SELECT x FROM a').get()?.['x'], 7);
});

test('migrating a database that is up to date changes nothing', () => {
  using database = new DatabaseSync(':memory:');
  migrate(database, path, steps);
  migrate(database, path, steps);
  assert.equal(checkSchema(database, path, 2), 2);
});

test('a schema that another program creates during the check is found wholly or not at all', async (t) => {
  const directory = await temporaryDirectory(t);
  const found: number[] = [];
  for (const at of [0, 1, 2]) {
    const file = join(directory, `${at}.db`);
    using creator = new DatabaseSync(file);
    using checker = new InterruptedDatabase(file, at, () => createSchema(creator, file, steps));
    found.push(checkSchema(checker, file, 2));
  }
  assert.equal(found[0], 2, 'the other program was in time');
  assert.ok(found.every((version) => version === 0 || version === 2));
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

test('when a step fails, the whole migration is rolled back', () => {
  using database = new DatabaseSync(':memory:');
  migrate(database, path, steps.slice(0, 1));
  assert.throws(() => migrate(database, path, [...steps, 'CREATE TABLE a (x INTEGER)']));
  assert.deepEqual(tablesOf(database), ['a']);
  assert.equal(checkSchema(database, path, 3), 1);
  assert.equal(database.isTransaction, false);
});

test('a schema newer than the program is refused and not changed', () => {
  using database = new DatabaseSync(':memory:');
  migrate(database, path, [...steps, 'CREATE TABLE c (x INTEGER)']);
  throwsFault(
    () => migrate(database, path, steps),
    'schema-newer',
    /a\.db .*schema 3.*supports schema 2/,
  );
  assert.equal(checkSchema(database, path, 3), 3);
});

test('a database of another program is refused and not changed', () => {
  using foreign = new DatabaseSync(':memory:');
  foreign.exec('CREATE TABLE cookies (x INTEGER)');
  throwsFault(() => migrate(foreign, path, steps), 'corrupt', /of another program, not of Pizarra/);
  assert.deepEqual(tablesOf(foreign), ['cookies']);
  using marked = new DatabaseSync(':memory:');
  marked.exec('PRAGMA application_id = 1');
  throwsFault(() => migrate(marked, path, steps), 'corrupt', /of another program, not of Pizarra/);
});

test('without the right to migrate, an older schema is refused with the remedy and not changed', () => {
  using database = new DatabaseSync(':memory:');
  migrate(database, path, steps.slice(0, 1));
  const message =
    /a\.db has schema 1 of an older version .* needs schema 2\. .*start "pizarra serve"/;
  throwsFault(() => requireSchema(database, path, 2), 'schema-older', message);
  throwsFault(() => createSchema(database, path, steps), 'schema-older', message);
  assert.equal(checkSchema(database, path, 2), 1);
  assert.deepEqual(tablesOf(database), ['a']);
});

test('an empty database is refused as absent until its schema is created, which runs every step once', () => {
  using database = new DatabaseSync(':memory:');
  throwsFault(() => requireSchema(database, path, 2), 'absent', /no store/);
  createSchema(database, path, steps);
  createSchema(database, path, steps);
  requireSchema(database, path, 2);
  assert.deepEqual(tablesOf(database), ['a', 'b']);
});

function tablesOf(database: DatabaseSync): readonly unknown[] {
  return database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
    .all()
    .map((row) => row['name']);
}

function throwsFault(run: () => void, code: StoreFaultCode, message: RegExp): void {
  assert.throws(run, (error) => {
    assert.ok(error instanceof StoreFault);
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });
}
