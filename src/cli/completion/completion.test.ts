import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { wholeProgram } from '../program.ts';
import { bashScript } from './bash.ts';
import { commandTree } from './command-tree.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

const nodes = commandTree(await wholeProgram('0.0.0'));

/** Command lines, and what completes their last word, in a folder with `closes.csv` and `data/`. */
const cases: readonly (readonly [string, readonly string[]])[] = [
  ['pizarra do', ['doctor']],
  ['pizarra keys set-', ['set-expiry', 'set-labels', 'set-limit', 'set-plan']],
  ['pizarra keys create --sc', ['--scope']],
  ['pizarra keys create --scope ', ['ingest', 'metrics', 'read', 'url']],
  ['pizarra serve --access-log ', ['all', 'off', 'refused']],
  ['pizarra serve --port 1 --market arg', ['argentina', 'argentina-completo']],
  ['pizarra doctor --js', ['--json']],
  ['pizarra import --ticker doctor clo', ['closes.csv']],
  ['pizarra import closes.csv clo', ['closes.csv']],
  ['pizarra import --date-format YYYY', ['YYYY-MM-DD', 'YYYY-MON-DD', 'YYYYMMDD']],
  ['pizarra backup --store da', ['data']],
  ['pizarra store copy --from da', ['data']],
  ['pizarra completion ', ['bash', 'fish', 'zsh']],
];

/** Runs a shell with a script in a folder with `closes.csv` and `data/`. Skips the test without the shell. */
async function ask(
  t: TestContext,
  shell: string,
  args: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const folder = await temporaryDirectory(t);
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'closes.csv'), '');
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, TERM: 'dumb', LC_ALL: 'C.UTF-8' };
  const options = { cwd: folder, encoding: 'utf8', env, timeout: 600_000 } as const;
  const { error, status, stdout, stderr } = spawnSync(shell, args, options);
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') {
    t.skip(`${shell} is not installed`);
    return undefined;
  }
  assert.deepEqual([status, stderr], [0, ''], stdout);
  return stdout;
}

/** The answers of a shell: after each line of a case, the words that complete it. */
function assertAnswers(output: string): void {
  const answers = new Map(
    output
      .split('\u0001')
      .slice(1)
      .map((part): [string, readonly string[]] => {
        const [line = '', ...words] = part.split('\n');
        const found = words.map((word) => word.replace(/\/$/, '')).filter((word) => word !== '');
        return [line, [...new Set(found)].toSorted()];
      }),
  );
  assert.deepEqual([...answers], cases);
}

test('bash completes commands, options, closed values, files and directories', async (t) => {
  const questions = cases.map(([line]) => {
    const words = line.split(' ').map((word) => `'${word}'`);
    return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _pizarra; printf '\\001%s\\n' '${line}'; printf '%s\\n' "\${COMPREPLY[@]}"`;
  });
  const script = `source ./completion\n${questions.join('\n')}\n`;
  const files = { completion: bashScript(nodes), script };
  const output = await ask(t, 'bash', ['--norc', 'script'], files);
  if (output !== undefined) assertAnswers(output);
});

test('bash completes the value after --option=, and that of an option that the help leaves out', async (t) => {
  const script = `source ./completion
complete -p pizarra
COMP_WORDS=(pizarra serve --log-format = p); COMP_CWORD=4; _pizarra; echo "\${COMPREPLY[@]}"
COMP_WORDS=(pizarra serve --log-format =); COMP_CWORD=3; _pizarra; echo "\${COMPREPLY[@]}"
COMP_WORDS=(pizarra doctor --market a); COMP_CWORD=3; _pizarra; echo "\${COMPREPLY[@]}"
`;
  const files = { completion: bashScript(nodes), script };
  const output = await ask(t, 'bash', ['--norc', 'script'], files);
  if (output === undefined) return;
  assert.deepEqual(output.split('\n'), [
    'complete -F _pizarra pizarra',
    'pretty',
    'auto pretty json',
    'argentina argentina-completo',
    '',
  ]);
});

test('bash offers every command and every shown option of the program', async (t) => {
  const questions = nodes.flatMap(({ path }) =>
    ['', '-'].map((word) => {
      const words = [...path.split(' '), `'${word}'`];
      return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _pizarra; echo "\${COMPREPLY[@]}"`;
    }),
  );
  const files = {
    completion: bashScript(nodes),
    script: `source ./completion\n${questions.join('\n')}\n`,
  };
  const output = await ask(t, 'bash', ['--norc', 'script'], files);
  if (output === undefined) return;
  const lines = output.split('\n');
  for (const [index, { path, commands, options }] of nodes.entries()) {
    const [offered = '', flags] = lines.slice(2 * index);
    if (commands.length > 0) {
      assert.equal(offered, commands.map(({ name }) => name).join(' '), path);
    }
    const shown = options.filter(({ isHidden }) => !isHidden).flatMap((option) => option.flags);
    assert.ok(shown.includes('--help'), path);
    assert.equal(flags, shown.join(' '), path);
  }
});

test('fish completes commands, options, closed values, files and directories', async (t) => {
  const questions = cases.map(
    ([line]) =>
      `printf '\\x01%s\\n' '${line}'; complete -C '${line}' | string replace -r '\\t.*' ''`,
  );
  const script = `source ./completion\n${questions.join('\n')}\ntrue\n`;
  const files = { completion: fishScript(nodes), script };
  const output = await ask(t, 'fish', ['--no-config', 'script'], files);
  if (output !== undefined) assertAnswers(output);
});

/**
 * Asks an interactive zsh on a pseudo-terminal. The marks are written in two parts, because the terminal
 * shows what is typed.
 */
const zshQuestions = `zmodload zsh/zpty
zpty -b z zsh -f -i
zpty -w z 'source ./setup'
zpty -r z out '*STA''RT*'
for line in ${cases.map(([line]) => `'${line}'`).join(' ')}; do
  zpty -w -n z "$line"$'\\t'
  zpty -r z out '*DO''NE*'
  print -r -- $'\\x01'"$line"
  print -r -- "$out" | tr -d '\\r' | sed -n 's/.*HIT:\\([^ ]*\\).*/\\1/p'
  zpty -w -n z $'\\C-U'
done
`;

const zshSetup = `PS1=
autoload -U compinit
compinit -u -D
source ./completion
zle -C captured complete-word _captured
_captured() {
  compadd() {
    local -a hits
    builtin compadd -A hits "$@"
    local hit
    for hit in $hits; do print -r -- ''; print -r -- "HIT:$hit "; done
    builtin compadd "$@"
  }
  _main_complete
  compstate[insert]= compstate[list]=
  print -r -- ''
  print DONE
  unfunction compadd
}
bindkey '^I' captured
print START
`;

test('zsh completes commands, options, closed values, files and directories', async (t) => {
  const files = { completion: zshScript(nodes), script: zshQuestions, setup: zshSetup };
  const output = await ask(t, 'zsh', ['-f', 'script'], files);
  if (output !== undefined) assertAnswers(output);
});
