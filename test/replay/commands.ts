import type { Build, Printed } from './build.ts';

/** Commands over the data of the replay, each with every form of its output. The first ones change nothing. */
const commands: readonly string[] = [
  'nothing',
  '--version',
  'serve --port x',
  'keys list',
  'keys list --json',
  'keys show nadie',
  'keys audit',
  'keys audit --json',
  'keys create',
  'actions list',
  'actions list --json',
  'actions list GGAL',
  'actions list NADA',
  'actions check',
  'actions check --json',
  'indices list',
  'indices list CER',
  'indices list --json',
  'indices list NADA',
  'indices check',
  'indices check --json',
  'history log',
  'history log --json',
  'history log GGAL',
  'history log GGAL 2026-11-13',
  'history log NADA',
  'history compare',
  'history revert GGAL 2026-11-13',
  'bonos check',
  'bonos check --json',
  'bonos calcular AL30D --precio 60.84',
  'bonos calcular AL30D --precio 60.84 --fecha 2026-11-20 --json',
  'bonos calcular AL30D --precio 60.84 --fecha 2026-11-20 --convencion bonarg',
  'bonos calcular NADA --precio 1',
  'bonos calcular GGAL --precio 1',
  'bonos flujos AL30',
  'bonos flujos AL30 --json',
  'sources check',
  'export',
  'export GGAL --from 2026-11-01',
  'export GGAL --from 2026-11-01 --with-changes',
  'export NADA',
  'export --panel LID --from 2026-11-10',
  'backup backup.db',
  'restore backup.db',
  'store check',
  'store check --json',
  'universe check',
  'universe check nowhere',
  'config show',
  'config show --json',
  'health',
  'doctor',
  'doctor --json',
  'completion bash',
  'completion zsh',
  'completion fish',
  'completion other',
  'import closes.csv --dry-run',
  'import closes.csv --json',
  'import correction.csv --dry-run',
  'import nowhere.csv',
  'import actions.csv',
  'actions import actions.csv',
  'actions import closes.csv',
  'indices import indices.csv',
  'indices import closes.csv',
  'actions remove GGAL 2026-06-15 cash-dividend',
  'actions remove GGAL 2026-06-15 cash-dividend',
  'actions list GGAL --json',
];

/** The names of all commands, as their help lists them. */
async function commandNames(
  build: Build,
  parents: readonly string[] = [],
): Promise<readonly string[][]> {
  const { stdout } = await build.run([...parents, '--help']);
  const [, list = ''] = stdout.split('\nCommands:\n');
  const names = [...(list.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z][a-z-]*)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');
  const below = await Promise.all(names.map((name) => commandNames(build, [...parents, name])));
  return [[...parents], ...below.flat()];
}

/** Runs every command of the first build with `--help`, and the list above. */
export async function eachCommand(
  builds: readonly [Build, Build],
  found: (command: string, printed: readonly [Printed, Printed]) => void,
): Promise<number> {
  const helps = (await commandNames(builds[0])).map((names) => [...names, '--help'].join(' '));
  const all = [...helps, ...commands];
  for (const command of all) {
    const args = command.split(' ');
    const [before, after] = await Promise.all([builds[0].run(args), builds[1].run(args)]);
    found(command, [before, after]);
  }
  return all.length;
}
