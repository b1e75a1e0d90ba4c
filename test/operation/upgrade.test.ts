import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import { schemaVersion } from '../../src/store/sqlite/schema/schema.ts';
import { startPizarra, temporaryDirectory } from '../support/program/program.ts';
import { once } from '../support/wait.ts';

const project = resolve(import.meta.dirname, '../..');

function isNoTest(path: string): boolean {
  return !path.endsWith('.test.ts');
}

/** Creates the next release of this program, which has another schema. */
async function makeNewerProgram(directory: string): Promise<string> {
  for (const part of ['bin', 'src', 'clients/typescript', 'contract', 'universe', 'package.json']) {
    await cp(join(project, part), join(directory, part), { recursive: true, filter: isNoTest });
  }
  await symlink(join(project, 'node_modules'), join(directory, 'node_modules'));
  const file = join(directory, 'src/store/sqlite/schema/schema.ts');
  const source = await readFile(file, 'utf8');
  const newer = source.replace(/(?<=schemaVersion = )\d+/, String(schemaVersion + 1));
  assert.notEqual(newer, source);
  await writeFile(file, newer);
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

test('a newer service refuses the data of an older one by name, and the older one can start again', async () => {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, 'data');
  const newer = await makeNewerProgram(join(directory.path, 'newer'));
  const ports = ['--port', '0', '--private-port', '0', '--log-format', 'json'];
  const serve = ['serve', '--store', data, ...ports, '--demonstration', 'off'];
  const refused = async (refusal: string): Promise<void> => {
    const [code, log] = await run(newer, serve);
    assert.ok(log.includes(refusal), log);
    assert.equal(code, 1);
    assert.equal(schemaOf(data), schemaVersion);
  };
  {
    await using _ = await startPizarra(['--store', data]);
    await refused(`Another pizarra serve runs on the data directory ${data}`);
  }
  await refused(`${data} has schema ${schemaVersion} of an older version of Pizarra`);
  assert.equal(await (await startPizarra(['--store', data])).stop(), 0);

  const other = join(directory.path, 'other');
  const [code, log] = await run(newer, ['serve', '--store', other, ...ports]);
  assert.equal(code, 0, log);
  await assert.rejects(
    startPizarra(['--store', other]),
    /was written by a newer version of Pizarra/,
  );
});
