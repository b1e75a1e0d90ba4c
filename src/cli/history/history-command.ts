import { Command } from 'commander';
import { compareCommand } from './compare-command.ts';
import { fetchCommand } from './fetch-command.ts';

/** `pizarra history`: commands for the daily closes of sources. */
export function historyCommand(): Command {
  return new Command('history')
    .description(
      'fetch daily closes from the configured sources, or compare them with the stored ones',
    )
    .addCommand(fetchCommand())
    .addCommand(compareCommand());
}
