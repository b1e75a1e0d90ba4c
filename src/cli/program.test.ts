import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

import type { Command } from 'commander';

import { resolveSettings } from '../config/settings/resolve-settings.ts';
import { isSettingName } from '../config/settings/settings.ts';
import { examplesOf, wholeProgram } from './program.ts';

/** The commands of a program that do something, by their words after `pizarra`. */
function leavesOf(command: Command, words: readonly string[] = []): readonly [string, Command][] {
  if (command.commands.length === 0) return [[words.join(' '), command]];
  return command.commands.flatMap((one) => leavesOf(one, [...words, one.name()]));
}

const help = { COLUMNS: 80, linesMax: 24 };

test('the help of doctor and health fits a screen of 24 lines of 80 columns', async () => {
  const program = await wholeProgram('0.0.0');
  for (const [words, command] of leavesOf(program)) {
    command.configureHelp({ helpWidth: help.COLUMNS });
    if (words !== 'doctor' && words !== 'health') continue;
    const written: string[] = [];
    command.configureOutput({ writeOut: (text) => written.push(text), getOutHelpWidth: () => 80 });
    command.outputHelp();
    const lines = written.join('').trimEnd().split('\n');
    assert.ok(lines.length <= help.linesMax, `${words}: ${lines.length} lines`);
    assert.deepEqual(
      lines.filter((line) => line.length > help.COLUMNS),
      [],
    );
  }
});

test('doctor and health accept every setting of the service, also those that the help leaves out', async () => {
  const program = await wholeProgram('0.0.0');
  const commands = new Map(leavesOf(program));
  const flags = (words: string): readonly (string | undefined)[] =>
    (commands.get(words)?.options ?? []).map(({ long }) => long);
  const settings = flags('serve').filter((flag) => flag !== '--least-rights');
  assert.ok(settings.length > 40);
  for (const words of ['doctor', 'health']) {
    const known = new Set(flags(words));
    assert.deepEqual(
      settings.filter((flag) => !known.has(flag)),
      [],
    );
  }
});

test('every command has examples, which its help shows and the program parses', async () => {
  const commands = leavesOf(await wholeProgram('0.0.0'));
  const examples = commands.flatMap(([words, command]) => {
    const own = examplesOf(command);
    assert.ok(own.length > 0, `pizarra ${words} has no example`);
    const written: string[] = [];
    command.configureOutput({ writeOut: (text) => written.push(text) });
    command.outputHelp();
    for (const example of own) assert.ok(written.join('').includes(`  ${example}\n`), example);
    return own.map((example) => ({ words, example }));
  });
  for (const { words, example } of examples) {
    const called = await callOf(example);
    assert.equal(called?.words, words, example);
    const settings = Object.entries(called.flags).filter((entry): entry is [string, string] =>
      isSettingName(entry[0]),
    );
    resolveSettings({ flags: Object.fromEntries(settings), environment: {} });
  }
});

test('a group of commands and the whole program have examples, too, of their own commands', async () => {
  const program = await wholeProgram('0.0.0');
  const groups = program.commands.filter(({ commands }) => commands.length > 0);
  assert.ok(groups.length > 5);
  for (const one of [program, ...groups]) {
    const words = one === program ? '' : one.name();
    assert.ok(examplesOf(one).length > 0, words);
    for (const example of examplesOf(one)) {
      const called = await callOf(example);
      assert.ok(called?.words.startsWith(words), example);
    }
  }
});

interface Call {
  readonly words: string;
  readonly flags: Record<string, unknown>;
}

/** The command that a line of a shell calls, with its options, as the program parses them. */
async function callOf(line: string): Promise<Call | undefined> {
  called = undefined;
  await (await parser).parseAsync([...(wordsOf.get(line) ?? assert.fail(line))], { from: 'user' });
  return called;
}

let called: Call | undefined;

/** The program, whose commands do nothing but say that they were called. */
const parser = wholeProgram('0.0.0').then((program) => {
  program.exitOverride();
  for (const [words, command] of leavesOf(program)) {
    command.exitOverride();
    command.action(() => {
      called = { words, flags: command.opts() };
    });
  }
  return program;
});

/**
 * The arguments that a shell gives to `pizarra` in each example. Nothing runs: the shell has functions of these
 * names.
 */
const wordsOf: ReadonlyMap<string, readonly string[]> = readInShell([
  ...new Set(leavesOf(await parser).flatMap(([, command]) => examplesOf(command))),
  ...examplesOf(await parser),
]);

function readInShell(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const script = `set -e
zcat() { :; }
source() { cat "$1" >/dev/null; }
pizarra() { printf '%s\\0' "$@" >&3; }
cd "$(mktemp -d)"
HOME=$PWD
mkdir -p .config/fish/completions
${lines.map((line) => `printf '\\001' >&3\n${line}`).join('\n')}
rm -rf "$PWD"`;
  const { status, output, stderr } = spawnSync('bash', ['-c', script], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  assert.deepEqual([status, stderr], [0, '']);
  const calls = (output[3] ?? '').split('\u0001').slice(1);
  assert.equal(calls.length, lines.length);
  return new Map(lines.map((line, index) => [line, calls[index]?.split('\0').slice(0, -1) ?? []]));
}
