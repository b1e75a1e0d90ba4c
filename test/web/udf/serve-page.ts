import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { resolve } from 'node:path';

import { once } from '../../support/wait.ts';

const folder = import.meta.dirname;
const library = resolve(
  folder,
  '../../../node_modules/lightweight-charts/dist/lightweight-charts.standalone.production.mjs',
);

const page = `<!doctype html>
<html lang="es">
<meta charset="utf-8">
<title>Gráfico</title>
<link rel="icon" href="data:,">
<style>html, body { height: 100%; margin: 0 }</style>
<script type="importmap">{ "imports": { "lightweight-charts": "/library.mjs" } }</script>
<body><script type="module" src="/chart-page.ts"></script>
`;

/** The modules of the page. Their types are removed when they are sent. */
const modules = ['chart-page.ts', 'datafeed.ts', 'session-slots.ts'];

/** Serves the page of a firm: from another origin than the service, with its own copy of a chart library. */
export async function servePage(): Promise<{ readonly origin: string } & AsyncDisposable> {
  const files = new Map<string, readonly [type: string, text: string]>([
    ['/', ['text/html', page]],
  ]);
  files.set('/library.mjs', ['text/javascript', await readFile(library, 'utf8')]);
  for (const name of modules) {
    const source = await readFile(resolve(folder, name), 'utf8');
    files.set(`/${name}`, ['text/javascript', stripTypeScriptTypes(source)]);
  }
  const server = createServer(({ url = '' }, response) => {
    const [type, text] = files.get(url) ?? [];
    if (type === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
