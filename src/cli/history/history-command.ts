import { Command } from 'commander';
import { compareCommand } from './compare-command.ts';
import { confirmCommand } from './confirm-command.ts';
import { fetchCommand } from './fetch-command.ts';

/** `pizarra history`: commands for the daily closes of sources. */
export function historyCommand(): Command {
  return new Command('history')
    .description(
      'fetch daily closes from the configured sources, compare them with the stored ones, or confirm one',
    )
    .addCommand(fetchCommand())
    .addCommand(compareCommand())
    .addCommand(confirmCommand());
}
