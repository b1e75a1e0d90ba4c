import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { resolve } from 'node:path';

import { serveSite, type Site, type SiteFile } from '../browser/serve-site.ts';

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
export async function servePage(): Promise<Site> {
  const files = new Map<string, SiteFile>([['/', ['text/html', page]]]);
  files.set('/library.mjs', ['text/javascript', await readFile(library, 'utf8')]);
  for (const name of modules) {
    const source = await readFile(resolve(folder, name), 'utf8');
    files.set(`/${name}`, ['text/javascript', stripTypeScriptTypes(source)]);
  }
  return serveSite(files);
}
