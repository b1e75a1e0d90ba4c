/**
 * Everything that the documents and the code refer to exists: files, headings, scripts, commands with
 * their options, clauses of the contract, and decisions.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';

import { wholeProgram } from '../../src/cli/program.ts';
import { anchorsIn, documents, inlineCode, linksIn, project, textOf } from './blocks.ts';

/** Runs a check over all documents, and fails with the list of faults. */
function findNone(check: (document: string) => readonly string[]): void {
  const found = documents().flatMap((document) =>
    check(document).map((fault) => `${document}: ${fault}`),
  );
  assert.deepEqual(found, []);
}

test('every link between documents leads to a file and to a heading in it', () => {
  let links = 0;
  findNone((document) => {
    const own = linksIn(textOf(document));
    links += own.length;
    return own.filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? document : normalize(join(dirname(document), path));
      if (!existsSync(join(project, file))) return true;
      return anchor !== undefined && !anchorsIn(textOf(file)).has(anchor);
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

/** The number of cells of a row. Code and escaped bars separate none. */
function cellsOf(row: string): number {
  return row.replaceAll(/\\\||`[^`]*`/g, '').split('|').length;
}

test('every row of a table has as many cells as its heading', () => {
  findNone((document) => {
    const prose = textOf(document).replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
    const tables = prose.match(/(?:^ *\|.*\n?)+/gm) ?? [];
    return tables.flatMap((table) => {
      const [heading = '', ...rows] = table.trimEnd().split('\n');
      return rows.filter((row) => cellsOf(row) !== cellsOf(heading));
    });
  });
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
  const { commands } = await wholeProgram('0.0.0');
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

test('a document describes every command', async () => {
  const leavesOf = (command: Command, words: string): readonly string[] =>
    command.commands.length === 0
      ? [words]
      : command.commands.flatMap((one) => leavesOf(one, `${words} ${one.name()}`.trim()));
  const { commands } = await wholeProgram('0.0.0');
  const names = commands.flatMap((one) => leavesOf(one, one.name()));
  assert.ok(names.length > 25, `${names.length} commands`);
  const text = documents().map(textOf).join('\n');
  assert.deepEqual(
    names.filter((name) => !new RegExp(`(?:pizarra |\`)${name}\\b`).test(text)),
    [],
  );
});

/** The files whose text may cite a clause or a decision, as paths from the root of the project. */
function citingFiles(): readonly string[] {
  const folders = ['src', 'test', 'web/src', 'bench', 'scripts', 'contract', 'universe', 'deploy'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(folder, name),
    ),
  );
  return [...files.filter((file) => /\.(?:ts|tsx|yaml|yml)$/.test(file)), ...documents()];
}

/** The text of a file in one line, without the marks of comments: a citation may span two lines. */
function inOneLine(file: string): string {
  return textOf(file).replace(/\s*\n\s*(?:\*(?!\/)|\/\/|#)?\s*/g, ' ');
}

/** The clauses of docs/contract.md: `4`, `4.1` and `4.1.2`. */
function clausesOfTheContract(): ReadonlySet<string> {
  const clauses = new Set<string>();
  let section = '';
  for (const line of textOf('docs/contract.md').split('\n')) {
    const heading = /^##+ (?:(\d+(?:\.\d+)*)\.?(?= ))?/.exec(line);
    const item = /^(\d+)\. /.exec(line)?.[1];
    if (heading !== null) section = heading[1] ?? '';
    const clause = item === undefined ? section : `${section}.${item}`;
    if (section !== '') clauses.add(clause);
  }
  return clauses;
}

test('every clause of the contract that code, a test or a document cites exists', () => {
  const clauses = clausesOfTheContract();
  assert.ok(clauses.size > 50, `${clauses.size} clauses`);
  const citation = /\bcontract (\d+(?:\.\d+)*(?:(?:,| and| to|, and) \d+(?:\.\d+)+)*)/gi;
  const cited = citingFiles().flatMap((file) =>
    Array.from(inOneLine(file).matchAll(citation), ([, list = '']) => list.match(/[\d.]*\d/g) ?? [])
      .flat()
      .map((clause) => ({ file, clause })),
  );
  // The contract refers to its own clauses by their numbers alone.
  const own = textOf('docs/contract.md').matchAll(/(?<!version |OpenAPI )\b\d+\.\d+\.\d+\b/g);
  cited.push(...Array.from(own, ([clause]) => ({ file: 'docs/contract.md', clause })));
  assert.ok(cited.length > 200, `${cited.length} citations`);
  assert.deepEqual(
    cited.filter(({ clause }) => !clauses.has(clause)),
    [],
  );
});

test('every decision that code, a test or a document cites exists', () => {
  const decisions = new Set(
    readdirSync(join(project, 'docs/decisions')).map((name) => name.slice(0, 4)),
  );
  const cited = citingFiles().flatMap((file) =>
    Array.from(inOneLine(file).matchAll(/\bdecisions?[ /](\d+)\b/gi), ([, number = '']) => ({
      file,
      number: number.padStart(4, '0'),
    })),
  );
  assert.ok(cited.length > 10, `${cited.length} citations`);
  assert.deepEqual(
    cited.filter(({ number }) => !decisions.has(number)),
    [],
  );
});

test('no code, test or document cites a text that is not in the repository', () => {
  const elsewhere =
    /\b(?:decisions? rows?|specification) \d+|(?<=['"`])rows? \d+(?=[:, ])|\brow \d+:/gi;
  const cited = citingFiles().flatMap((file) =>
    Array.from(inOneLine(file).matchAll(elsewhere), ([citation]) => ({ file, citation })),
  );
  assert.deepEqual(cited, []);
});
