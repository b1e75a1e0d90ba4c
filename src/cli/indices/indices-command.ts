import { Command } from 'commander';
import { checkCommand } from './check-command.ts';
import { fetchCommand } from './fetch-command.ts';
import { importCommand } from './import-command.ts';
import { listCommand } from './list-command.ts';

/** `pizarra indices`: the commands for the indices to which bonds refer. */
export function indicesCommand(): Command {
  return new Command('indices')
    .description(
      'import, list, fetch and check the indices to which bonds refer: CER, UVA, A3500, TAMAR, BADLAR',
    )
    .addCommand(importCommand())
    .addCommand(listCommand())
    .addCommand(fetchCommand())
    .addCommand(checkCommand());
}
