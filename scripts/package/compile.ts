import { spawnSync } from 'node:child_process';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The URL of a module beside this one, as threads and processes are started with. */
const moduleUrl = /(new URL\((['"])[^'"\n]+)\.ts(\2,\s*import\.meta\.url\))/g;

const compiledFiles = { recursive: true, withFileTypes: true } as const;

/** A path of a TypeScript file in code. None may be left, because the package has none. */
const leftover = /(['"])\.{0,2}[\w./-]*\.tsx?\1/;

/**
 * Compiles `src/`, and what it imports of the client for TypeScript, to JavaScript with declarations and source maps,
 * because Node does not strip types below `node_modules`. `src/` becomes `dist/`.
 *
 * @param stage the folder of the package.
 * @throws with the output of the compiler, or with the places that still name a TypeScript file.
 */
export async function compile(project: string, stage: string): Promise<void> {
  const compiler = join(project, 'node_modules/typescript/bin/tsc');
  const args = [compiler, '-p', join(project, 'tsconfig.build.json'), '--outDir', stage];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The sources do not compile:\n${stdout}${stderr}`);
  await rename(join(stage, 'src'), join(stage, 'dist'));
  const found = await Promise.all(
    ['dist', 'clients'].map((folder) => readdir(join(stage, folder), compiledFiles)),
  );
  const files = found.flat().filter((one) => one.isFile());
  const names = files.map(({ parentPath, name }) => join(parentPath, name));
  const depth = relative(project, stage).split('/').length;
  const maps = names.filter((name) => name.endsWith('.js.map'));
  await Promise.all(maps.map((name) => placeSources(name, depth)));
  const wrong = await Promise.all(names.filter((name) => name.endsWith('.js')).map(finish));
  const places = wrong.flat();
  if (places.length > 0) {
    throw new Error(`The compiled code names TypeScript files:\n${places.join('\n')}`);
  }
}

/**
 * Replaces the extension of module URLs, which the compiler leaves as they are. The length of no line
 * changes, so the source map stays exact. Returns the places that still name a TypeScript file.
 */
async function finish(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8');
  const finished = compiledNames(text);
  if (finished !== text) await writeFile(path, finished);
  return finished
    .split('\n')
    .flatMap((line, at) => (leftover.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : []));
}

/**
 * Names the sources of a map beside the compiled code, as in a clone. A stack then shows
 * `pizarra/src/cli/main.ts` and its line, wherever the package was built. The map has no text of the sources,
 * which would be a tenth of the package.
 *
 * @param depth the number of folders between the project and the folder of the package.
 */
async function placeSources(path: string, depth: number): Promise<void> {
  const map = JSON.parse(await readFile(path, 'utf8')) as { sources: readonly string[] };
  map.sources = map.sources.map((source) => source.replace('../'.repeat(depth), ''));
  await writeFile(path, JSON.stringify(map));
}

/** Code in which the URLs of modules have the extension of compiled files. */
export function compiledNames(code: string): string {
  return code.replaceAll(moduleUrl, '$1.js$3');
}

/** Where the part of the first module begins that only a clone has: it finds the bundled program. */
const ofClone = '\n/**\n * The first module of the program that `npm run build` has bundled';

/** The first module of the program, which is JavaScript already, for the compiled sources. */
export function compiledEntry(code: string): string {
  const [whole = ''] = code.split(ofClone);
  return whole
    .replace("import { existsSync } from 'node:fs';\n", '')
    .replace('(await bundled()) ?? ', '')
    .replaceAll(/'\.\.\/src\/([\w/-]+)\.ts'/g, "'../dist/$1.js'");
}
