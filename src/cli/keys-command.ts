import { Command } from 'commander';
import { auditCommand } from './keys/audit-command.ts';
import { changeCommands } from './keys/change-commands.ts';
import { createCommand } from './keys/create-command.ts';
import { listCommand } from './keys/list-command.ts';
import { rotateCommand } from './keys/rotate-command.ts';
import { showCommand } from './keys/show-command.ts';

/** `pizarra keys`: the whole life of API keys. */
export function keysCommand(): Command {
  const command = new Command('keys')
    .description('make, show, change, rotate and end API keys')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(rotateCommand());
  for (const change of changeCommands()) command.addCommand(change);
  return command.addCommand(auditCommand());
}
