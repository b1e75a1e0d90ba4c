import { Command } from 'commander';
import { examplesOf } from './help/examples.ts';

/** The whole program of some commands: its version, its help and its examples. */
export function programOf(version: string, commands: readonly Command[]): Command {
  const program = new Command('pizarra')
    .description('Self-hosted market quotes: latest quotes and daily closes over a small HTTP API.')
    .version(version)
    .showHelpAfterError('Run "pizarra --help" for all commands.');
  for (const command of commands) program.addCommand(command);
  addExamples(program, '');
  return program;
}

function addExamples(command: Command, words: string): void {
  const lines = examplesOf(words).map((example) => `  ${example}`);
  if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  for (const below of command.commands) {
    addExamples(below, words === '' ? below.name() : `${words} ${below.name()}`);
  }
}
