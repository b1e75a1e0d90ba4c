import { Command } from 'commander';
import { compareCommand } from './compare-command.ts';
import { confirmCommand } from './confirm-command.ts';
import { fetchCommand } from './fetch-command.ts';
import { logCommand } from './log-command.ts';
import { revertCommand } from './revert-command.ts';

/** `pizarra history`: commands for the daily closes of sources. */
export function historyCommand(): Command {
  return new Command('history')
    .description(
      'fetch daily closes from the configured sources, compare, confirm, list their changes, or put one back',
    )
    .addCommand(fetchCommand())
    .addCommand(compareCommand())
    .addCommand(confirmCommand())
    .addCommand(logCommand())
    .addCommand(revertCommand());
}
