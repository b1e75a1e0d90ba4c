import { Command } from 'commander';
import { checkCommand } from './check-command.ts';

/** `pizarra sources`: commands for the configured sources of live prices. */
export function sourcesCommand(): Command {
  return new Command('sources')
    .description('commands for the configured sources of live prices')
    .addCommand(checkCommand());
}
