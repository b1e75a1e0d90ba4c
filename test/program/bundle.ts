import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

import { rolldown } from 'rolldown';
import type { Plugin } from 'rolldown';

import { compiledEntry } from '../../scripts/package/compile.ts';

/** The URL of a module beside this one, with which a thread or a process is started. */
const moduleUrl = /new URL\('(?:\.\/)?([\w/-]+)\.ts',\s*import\.meta\.url\)/g;

/** Packages that the program loads only when it needs them, and finds beside its sources. */
const loadedLate = new Set(['jsonata', 'pino-pretty', 'undici', 'ws']);

/**
 * Writes the program and its packages as a few modules into a folder. A start then takes half of the
 * processor time of one from 700 sources. Files that are there already are not written again, so a
 * program that runs from the folder is not disturbed.
 *
 * The code finds its files (universe, contract, playground) where the sources are.
 */
export async function bundleProgram(project: string, output: string): Promise<void> {
  const dist = join(output, 'dist');
  const bundle = await rolldown({
    input: { 'cli/main': join(project, 'src/cli/main.ts') },
    platform: 'node',
    external: (id) => loadedLate.has(id),
    plugins: [inPlaceOf(join(project, 'src'), dist)],
  });
  const { output: chunks } = await bundle.generate({
    format: 'esm',
    keepNames: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  });
  await bundle.close();
  const files = chunks.map((one) => {
    if (one.type === 'chunk') return [join(dist, one.fileName), one.code] as const;
    throw new Error(`the bundle has an unexpected file ${one.fileName}`);
  });
  const entry = await readFile(join(project, 'bin/pizarra.js'), 'utf8');
  files.push([join(output, 'bin/pizarra.js'), compiledEntry(entry)]);
  for (const [path, text] of files) await writeChanged(path, text);
  await removeOthers(dist, new Set(files.map(([path]) => path)));
}

/** Makes code of `src` work in the bundle: it keeps its own URL, and starts the bundled threads and processes. */
function inPlaceOf(src: string, dist: string): Plugin {
  return {
    name: 'in-place-of-sources',
    transform(code, id) {
      if (!id.startsWith(src)) return undefined;
      return code
        .replaceAll(moduleUrl, (_, name: string) => {
          const started = join(dirname(id), name);
          const fileName = `${relative(src, started)}.js`;
          this.emitFile({ type: 'chunk', id: `${started}.ts`, fileName });
          return `new URL(${urlOf(join(dist, fileName))})`;
        })
        .replaceAll('import.meta.url', urlOf(id))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)));
    },
  };
}

function urlOf(path: string): string {
  return JSON.stringify(pathToFileURL(path).href);
}

async function writeChanged(path: string, text: string): Promise<void> {
  const existing = await readFile(path, 'utf8').catch(() => undefined);
  if (existing === text) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function removeOthers(folder: string, files: ReadonlySet<string>): Promise<void> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const one of found) {
    const path = join(one.parentPath, one.name);
    if (one.isFile() && !files.has(path)) await rm(path);
  }
}
