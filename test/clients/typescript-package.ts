/**
 * The package `pizarra-client`, built and packed as for a release, and installed in an empty folder as a
 * user would, with what that folder's users run it in: this Node, the oldest supported Node, Bun, and a browser.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { textOf } from '../docs/blocks.ts';
import { attempt, run } from '../install/commands.ts';
import { temporaryDirectory } from '../support/program/program.ts';
import { once, until } from '../support/wait.ts';
import { noBrowser, startBrowser } from '../web/browser/browser.ts';
import { startDemoService, type DemoService } from './demo-service.ts';
import { bun, oldNode } from './programs.ts';

const project = join(import.meta.dirname, '../..');
const source = join(project, 'clients/typescript');

/** A program in JavaScript, which any of them runs. */
const everywhere = `
import { PizarraClient, PizarraHttpError } from 'pizarra-client';
const url = process.env.PIZARRA_URL;
const client = new PizarraClient({ url, key: process.env.PIZARRA_KEY });
const quotes = await client.quotes({ especie: ['GGAL', 'NOEXISTE'] });
const rows = [quotes.data.length, quotes.missing.join(), quotes.isSimulated];
let events = 0;
for await (const { type } of client.stream({ panel: 'LID' })) if ((events += 1) === 3) break;
for await (const { type } of client.stream({ especie: 'GGAL', barras: '1m' })) if (type === 'barra') break;
const wrong = new PizarraClient({ url, key: 'pz_wrong' });
const status = await wrong.tickers().catch((error) => error instanceof PizarraHttpError && error.status);
const series = { especie: 'GGAL', desde: '2020-01-01', hasta: '2100-01-01' };
await client.history(series);
const again = await client.history(series);
const stopped = await client.quotes({ panel: 'LID' }, { signal: AbortSignal.abort(new Error('left')) }).catch(({ message }) => message);
const limited = new PizarraClient({ url, key: process.env.PIZARRA_LIMITED_KEY });
const [, patient] = [await limited.quotes({ especie: 'GGAL' }), await limited.quotes({ especie: 'AL30' })];
console.log(JSON.stringify([patient.data.length, ...rows, events, status, again.isUnchanged, stopped]));
`;

describe('the package pizarra-client', { concurrency: 1 }, () => {
  const cleanUp = new AsyncDisposableStack();
  let folder = '';
  let demo: DemoService;

  before(async () => {
    ({ path: folder } = cleanUp.use(await temporaryDirectory()));
    run([
      process.execPath,
      join(project, 'node_modules/typescript/bin/tsc'),
      '-p',
      join(source, 'tsconfig.build.json'),
    ]);
    const [packed] = JSON.parse(
      run(['npm', 'pack', '--json', '--pack-destination', folder], { cwd: source }),
    ) as [{ readonly filename: string; readonly files: readonly { readonly path: string }[] }];
    assert.deepEqual(
      packed.files.filter(
        ({ path }) => !/^(?:dist|src|examples)\/|^(?:package\.json|README\.md|LICENSE)$/.test(path),
      ),
      [],
    );
    await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    run(['npm', 'install', '--offline', '--no-audit', '--no-fund', join(folder, packed.filename)], {
      cwd: folder,
    });
    assert.deepEqual(await readdir(join(folder, 'node_modules')), [
      '.package-lock.json',
      'pizarra-client',
    ]);
    await writeFile(join(folder, 'everywhere.mjs'), everywhere);
    demo = cleanUp.use(await startDemoService());
  });
  after(() => cleanUp.disposeAsync());

  const runIn = (program: string): void => {
    const output = run([program, 'everywhere.mjs'], {
      cwd: folder,
      env: { ...process.env, ...demo.env },
    });
    assert.deepEqual(JSON.parse(output), [1, 1, 'NOEXISTE', true, 3, 401, true, 'left']);
  };

  test('runs in this Node', () => runIn(process.execPath));

  test('runs in the oldest supported Node', oldNode, () => runIn(oldNode.path));

  test('runs in Bun', bun, () => runIn(bun.path));

  test('its declarations and its README compile under strict settings, without skipLibCheck', async () => {
    const blocks = [...textOf('clients/typescript/README.md').matchAll(/^```ts\n(.*?)^```$/gms)];
    assert.ok(blocks.length >= 4);
    await Promise.all(
      blocks.map(([, text = ''], at) => writeFile(join(folder, `readme-${at}.ts`), text)),
    );
    await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
    for (const name of ['@types/node', 'undici-types']) {
      await cp(join(project, 'node_modules', name), join(folder, 'node_modules', name), {
        recursive: true,
      });
    }
    await cp(join(source, 'examples'), join(folder, 'examples'), { recursive: true });
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2023'],
      types: ['node'],
      module: 'nodenext',
      noEmit: true,
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noPropertyAccessFromIndexSignature: true,
    };
    const include = ['readme-*.ts', 'examples/*.ts'];
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
    const tsc = join(project, 'node_modules/typescript/bin/tsc');
    const { status, stdout } = attempt([process.execPath, tsc, '-p', folder]);
    assert.equal(status, 0, stdout);
  });

  test('the programs of its README and its examples do what they say', async () => {
    const env = { ...process.env, ...demo.env };
    const of = (file: string, ...args: readonly string[]): string =>
      run([process.execPath, file, ...args], { cwd: folder, env });
    const readme = (await readdir(folder))
      .filter((name) => /^readme-\d+\.ts$/.test(name))
      .toSorted();
    const outputs = readme.map((file) => of(file));
    assert.match(outputs[0] ?? '', /^GGAL [\d.]+ [\s\S]*NOEXISTE/);
    assert.match(outputs[1] ?? '', /^GGAL [\d.]+ ARS\nAL30 [\d.]+ ARS\n$/);
    assert.match(outputs[2] ?? '', /^[\d.]+\n\d+ [\d.]+\n$/);
    assert.equal(outputs[3]?.trim().split('\n').length, 5);
    assert.match(outputs[4] ?? '', /2026-02-30/);
    assert.match(
      of('examples/quotes.ts', 'GGAL', 'NOEXISTE'),
      /^Made-up prices.*\nGGAL .*\nNot found: NOEXISTE\n$/,
    );
    assert.match(
      of('examples/history.ts'),
      /GGAL: \d+ closes.*\nreturn .* %\nvolatility .* % a year\n$/,
    );
    assert.match(of('examples/stream.ts', 'LID', '3'), /^connected\n(?:\w+ [\d.]+\n){3}$/);
  });

  test(
    'runs in a browser, in a page of another origin that the operator allows',
    { skip: noBrowser ?? false },
    async () => {
      const pages = createServer((request, response) => {
        const file = join(folder, new URL(request.url ?? '/', 'http://page').pathname);
        const type = extname(file) === '.js' ? 'text/javascript' : 'text/html; charset=utf-8';
        if (existsSync(file))
          response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
        else response.writeHead(404).end();
      });
      pages.listen(0, '127.0.0.1');
      await once(pages, 'listening');
      const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
      await cp(join(source, 'examples/browser.html'), join(folder, 'browser.html'));
      await using allowing = await startDemoService('--cors-origins', origin);
      const browser = await startBrowser();
      try {
        const page = await browser.newPage();
        const address = new URLSearchParams({ url: allowing.service.url, key: allowing.key });
        await page.goto(`${origin}/browser.html#${address.toString()}`);
        const shown = (): Promise<string> => page.locator('#quotes').innerText();
        const text = await until('the quotes are shown', async () => {
          const now = await shown();
          return now.includes('GGAL') && now.includes('YPFD') ? now : undefined;
        });
        assert.match(text, /GGAL [\d.]+/);
        // The prices of the demonstration change.
        await until('a quote changes', async () => (await shown()) !== text);
      } finally {
        await browser.close();
        pages.closeAllConnections();
        pages.close();
      }
    },
  );
});
