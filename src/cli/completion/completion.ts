import type { Command as Parser } from 'commander';

import { command, type Command } from '../../commands/form/command.ts';
import { bashScript } from './bash.ts';
import { commandTree } from './command-tree.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/**
 * Prints the script that completes the commands in a shell.
 *
 * @param program gives the program with all commands.
 */
export function completion(program: () => Promise<Parser>): Command {
  return command({
    name: 'completion',
    summary: 'print the script that completes commands, options and values in a shell',
    args: { shell: ['<SHELL>', 'the shell', Object.keys(scripts) as (keyof typeof scripts)[]] },
    examples: [
      'source <(pizarra completion bash)       # in ~/.bashrc',
      'source <(pizarra completion zsh)        # in ~/.zshrc, after compinit',
      'pizarra completion fish > ~/.config/fish/completions/pizarra.fish',
    ],
    async run({ args, print }) {
      print(scripts[args.shell](commandTree(await program())));
    },
  });
}
