import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import { listKeys } from '../../src/node/keys/keys.ts';
import { migrations } from '../../src/store/sqlite/schema/migrations.ts';
import { startPizarra, temporaryDirectory } from '../support/program/program.ts';
import { once } from '../support/wait.ts';

const project = resolve(import.meta.dirname, '../..');

function isNoTest(path: string): boolean {
  return !path.endsWith('.test.ts');
}

/** Creates the next release of this program, which has one more migration. */
async function makeNewerProgram(directory: string): Promise<string> {
  for (const part of ['bin', 'src', 'contract', 'universe', 'package.json']) {
    await cp(join(project, part), join(directory, part), { recursive: true, filter: isNoTest });
  }
  await symlink(join(project, 'node_modules'), join(directory, 'node_modules'));
  const steps = join(directory, 'src/store/sqlite/schema/migrations.ts');
  const source = await readFile(steps, 'utf8');
  const newer = source.replace(/,?\s*\];/, `, 'CREATE TABLE later (x)'];`);
  assert.notEqual(newer, source);
  await writeFile(steps, newer);
  return join(directory, 'bin/pizarra.js');
}

/** Runs a program to its end. When its log reports that it serves, the program is stopped. */
async function run(program: string, args: readonly string[]): Promise<[number | null, string]> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // The compiled code of a temporary program must not be cached.
    env: { PATH: process.env['PATH'], NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  const closed = once(child, 'close') as Promise<[number | null]>;
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    const wasServing = errors.includes('"msg":"service ready"');
    errors += chunk.toString();
    if (!wasServing && errors.includes('"msg":"service ready"')) child.kill();
  });
  const output = await text(child.stdout);
  const [code] = await closed;
  return [code, output + errors];
}

function schemaOf(data: string): unknown {
  using database = new DatabaseSync(join(data, 'pizarra.db'), { readOnly: true });
  return database.prepare('PRAGMA user_version').get()?.['user_version'];
}

test('a newer service that is refused does not change the schema, and one that starts upgrades it', async () => {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, 'data');
  const newer = await makeNewerProgram(join(directory.path, 'newer'));
  const ports = ['--port', '0', '--private-port', '0', '--log-format', 'json'];
  const serve = ['serve', '--data', data, ...ports, '--demonstration', 'off'];
  {
    await using _ = await startPizarra(['--data', data]);
    const [code, log] = await run(newer, serve);
    assert.match(log, /Another pizarra serve runs on the data directory/);
    assert.equal(code, 1);
    assert.equal(schemaOf(data), migrations.length);
  }
  assert.equal(
    await (await startPizarra(['--data', data])).stop(),
    0,
    'the older service can start again',
  );

  const [code, log] = await run(newer, serve);
  assert.equal(code, 0, log);
  assert.equal(schemaOf(data), migrations.length + 1);
  await assert.rejects(listKeys(data), { code: 'schema-newer' });
});
