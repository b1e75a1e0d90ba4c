import { Argument, Command } from 'commander';
import { print } from '../terminal/print.ts';
import { bashScript } from './bash.ts';
import { commandTree, type CommandNode } from './command-tree.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

const scripts: Readonly<Record<string, (nodes: readonly CommandNode[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/**
 * `pizarra completion`: prints the script that completes the commands in a shell.
 *
 * @param program gives the program with all commands.
 */
export function completionCommand(program: () => Promise<Command>): Command {
  return new Command('completion')
    .description('print the script that completes commands, options and values in a shell')
    .addArgument(new Argument('<SHELL>', 'the shell').choices(Object.keys(scripts)))
    .action(async (shell: string) => {
      const nodes = commandTree(await program());
      print(scripts[shell]?.(nodes) ?? '');
    });
}
