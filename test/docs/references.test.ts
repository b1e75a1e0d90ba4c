/** Everything that the documents refer to exists: files, headings, scripts, commands and options. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';

import { commandsFor } from '../../src/cli/commands.ts';
import { documents, inlineCode, project, proseOf, textOf } from './blocks.ts';

/** Runs a check over all documents, and fails with the list of faults. */
function findNone(check: (document: string) => readonly string[]): void {
  const found = documents().flatMap((document) =>
    check(document).map((fault) => `${document}: ${fault}`),
  );
  assert.deepEqual(found, []);
}

/** The anchors of a document's headings, as GitHub generates them. */
function anchorsOf(document: string): ReadonlySet<string> {
  const headings = proseOf(document).matchAll(/^#+ (.*)$/gm);
  return new Set(
    Array.from(headings, ([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test('every link between documents leads to a file and to a heading in it', () => {
  let links = 0;
  findNone((document) => {
    const targets = Array.from(proseOf(document).matchAll(/\]\(([^)\s]+)\)/g), ([, to = '']) => to);
    const own = targets.filter((target) => !/^[a-z]+:/.test(target));
    links += own.length;
    return own.filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? document : normalize(join(dirname(document), path));
      if (!existsSync(join(project, file))) return true;
      return anchor !== undefined && !anchorsOf(file).has(anchor);
    });
  });
  assert.ok(links > 100, `${links} links`);
});

test('every file of the project that a document names exists', () => {
  const folders =
    /^(?:bench|bin|contract|deploy|docs|scripts|src|test|universe|web|\.ci)\/[\w./-]*$/;
  // The documented commands create these.
  const made = new Set(['bench/data/']);
  let files = 0;
  findNone((document) => {
    const named = inlineCode(document)
      .map((code) => code.replace(/^node (\S+).*/, '$1'))
      .filter((code) => folders.test(code) && !made.has(code));
    files += named.length;
    // A path starts at the root of the project, or at the folder of the document.
    return named.filter((path) =>
      [path, join(dirname(document), path)].every((place) => !existsSync(join(project, place))),
    );
  });
  assert.ok(files > 50, `${files} files`);
});

test('every npm script that a document names exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    readonly scripts: object;
  };
  findNone((document) =>
    Array.from(textOf(document).matchAll(/\bnpm run ([\w:]+)/g), ([, name = '']) => name).filter(
      (name) => !Object.hasOwn(scripts, name),
    ),
  );
});

test('every command that a document or a message names exists, with its options', async () => {
  const commands = await commandsFor(undefined, '0.0.0');
  /** The fault of a command; undefined when it is correct. */
  const faultOf = (code: string): string | undefined => {
    const words = code
      .replace(/^(?:npx )?pizarra /, '')
      .split(' ')
      .filter((word) => word !== '');
    let command: Command | undefined = commands.find((one) => one.name() === words[0]);
    if (command === undefined) return /^[a-z]+$/.test(words[0] ?? '') ? code : undefined;
    for (const word of words.slice(1)) {
      const below: Command | undefined = command.commands.find((one) => one.name() === word);
      if (below === undefined) break;
      command = below;
    }
    const known = new Set(command.options.map(({ long }) => long).concat('--help'));
    const options = code.match(/(?<=^|[\s(])--[a-z-]+/g) ?? [];
    const unknown = options.filter((option) => !known.has(option));
    // A command without any option is a mention, not a complete command line.
    const missing = command.options
      .filter(
        ({ mandatory, long }) => mandatory && options.length > 0 && !code.includes(long ?? ''),
      )
      .map(({ long }) => `lacks ${long}`);
    return [...unknown, ...missing].map((fault) => `${code}: ${fault}`)[0];
  };
  const names = new Set(commands.map((one) => one.name()));
  let checked = 0;
  findNone((document) => {
    const written = inlineCode(document).filter(
      (code) =>
        /^(?:npx )?pizarra [a-z]/.test(code) || names.has(/^(\w+) \S/.exec(code)?.[1] ?? ''),
    );
    checked += written.length;
    return written.map(faultOf).filter((fault) => fault !== undefined);
  });
  assert.ok(checked > 30, `${checked} commands`);

  const inMessages = readdirSync(join(project, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(project, 'src', file), 'utf8'))
    .flatMap((source) => source.match(/(?<=")pizarra [a-z][^"]*(?=")/g) ?? []);
  assert.ok(inMessages.length > 10, `${inMessages.length} commands`);
  assert.deepEqual(
    inMessages.map(faultOf).filter((fault) => fault !== undefined),
    [],
  );
});
