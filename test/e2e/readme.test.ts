import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startPizarra, temporaryDirectory } from '../support/program.ts';

const project = resolve(import.meta.dirname, '../..');

test("the README's first request, pasted into a shell, works", async () => {
  await using directory = await temporaryDirectory();
  const data = directory.path;
  await using service = await startPizarra(['--data', data, '--demonstration', 'auto']);
  const readme = await readFile(resolve(project, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map((match) => match[1] ?? '');
  const request = blocks.find((block) => block.includes('curl')) ?? assert.fail('no request');
  // The directory and the port of this test's service stand for the ones that the README starts.
  const pasted = request.replace('http://127.0.0.1:8080', service.url);
  const { stdout } = await promisify(execFile)('sh', ['-e', '-c', pasted], {
    cwd: project,
    env: { ...process.env, PIZARRA_DATA: data },
  });
  const quotes = JSON.parse(stdout) as { readonly especie: string }[];
  assert.deepEqual(
    quotes.map(({ especie }) => especie),
    ['AL30', 'DOLAR MEP'],
  );
});
