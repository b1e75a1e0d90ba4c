import { Command } from 'commander';
import { auditCommand } from './audit-command.ts';
import { changeCommands } from './change-commands.ts';
import { createCommand } from './create-command.ts';
import { listCommand } from './list-command.ts';
import { rotateCommand } from './rotate-command.ts';
import { showCommand } from './show-command.ts';

/** `pizarra keys`: the commands for API keys. */
export function keysCommand(): Command {
  const command = new Command('keys')
    .description('create, list, change, rotate and revoke API keys')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(rotateCommand());
  for (const change of changeCommands()) command.addCommand(change);
  return command.addCommand(auditCommand());
}
