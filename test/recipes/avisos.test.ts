/** docs/integraciones/avisos.md: its program avisos.mts follows a real stream, and notifies a server. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { project, textOf } from '../docs/blocks.ts';
import { temporaryDirectory } from '../support/program/program.ts';
import { deferred, once } from '../support/wait.ts';
import { readRecipe } from './support/recipe-page.ts';
import { startRecipeService } from './support/recipe-service.ts';
import { runTool } from './support/run-tool.ts';

const recipe = readRecipe('avisos.md');
const program = textOf('docs/integraciones/avisos.mts');
const [asJson = ''] = recipe.take('ts');
const [commands = ''] = recipe.take('sh');
const [shown = ''] = recipe.take('text');
const asText = /const response = await fetch\(.*\);/;
const client = pathToFileURL(join(project, 'clients/typescript/src/index.ts')).href;

/** Prices of instruments, which are shown at once. The last one crosses a limit. */
type Step = Readonly<Record<string, number>>;

/** Runs a program. It shows the prices of each step when the notice of the step before has arrived. */
async function run(source: string, steps: readonly Step[]) {
  await using cleanUp = new AsyncDisposableStack();
  const service = cleanUp.use(await startRecipeService());
  const { path } = cleanUp.use(await temporaryDirectory());
  const more = '  YPFD: { desde: 50_000 },\n  AL30: { desde: 100_000 },\n';
  const limits = source.replace(/(?= {2}'DOLAR MEP')/, more);
  await writeFile(join(path, 'avisos.mts'), limits.replace("'pizarra-client'", `'${client}'`));
  const received: string[] = [];
  let next = deferred<void>();
  const server = createServer(async (request, response) => {
    received.push(await text(request));
    response.writeHead(received.length > steps.length ? 500 : 200).end();
    next.resolve();
  }).listen(0, '127.0.0.1');
  cleanUp.defer(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // A price that has crossed its limit before the program starts is the first notice.
  service.show('GGAL', 8450);
  const start = commands
    .replace(/^npm install .*$/m, '')
    .replace('https://cotizaciones.example.com', service.url)
    .replace('pz_…', service.key)
    .replace(/https:\/\/ntfy\.sh\S+/, `http://127.0.0.1:${port}/tema`);
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const running = runTool(['sh', '-c', start], { cwd: path, env: { PATH } });
  for (const step of steps) {
    await Promise.race([next.promise, running]);
    next = deferred<void>();
    for (const [ticker, last] of Object.entries(step)) service.show(ticker, last);
  }
  const { code, stderr } = await running;
  return { received, code, stderr };
}

test('a price that crosses its limit is notified once, until it has been within its limits again', async () => {
  const { received, code, stderr } = await run(program, [
    { GGAL: 8460, 'DOLAR MEP': 1470 },
    { GGAL: 8300, YPFD: 60_000 },
    { GGAL: 8500 },
    { AL30: 120_000 },
  ]);
  const at = '(2026-11-20 16:59:58)';
  assert.equal(received[0], shown.trim());
  assert.deepEqual(received.slice(1), [
    `DOLAR MEP 1470 ${at}`,
    `YPFD 60000 ${at}`,
    `GGAL 8500 ${at}`,
    `AL30 120000 ${at}`,
  ]);
  // The last notice was refused, and the program ends with the reason.
  assert.equal(code, 1);
  assert.match(stderr, /http:\/\/127\.0\.0\.1:\d+\/tema respondió 500/);
});

test('a webhook gets the same text as JSON', async () => {
  assert.match(program, asText);
  const { received } = await run(program.replace(asText, asJson), [{ AL30: 120_000 }]);
  assert.deepEqual(JSON.parse(received[0] ?? ''), { text: shown.trim() });
});
