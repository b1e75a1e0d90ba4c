import { CommanderError, type Command } from 'commander';
import { programVersion } from '../node/program-version.ts';
import { programWith } from './program.ts';
import { print, printError } from './terminal/print.ts';
import { exitUsage, reportFault } from './terminal/report-fault.ts';

const program = await programWith(process.argv[2], programVersion());

throwOnUsage(program);

try {
  await program.parseAsync();
} catch (fault) {
  process.exitCode = exitCodeOf(fault);
}

/** Prevents commander from ending the process with 1 for a usage error, and from printing raw arguments. */
function throwOnUsage(command: Command): void {
  command.exitOverride();
  command.configureOutput({ writeOut: print, writeErr: printError });
  for (const subcommand of command.commands) throwOnUsage(subcommand);
}

function exitCodeOf(fault: unknown): number {
  if (!(fault instanceof CommanderError)) return reportFault(fault);
  return fault.exitCode === 0 ? 0 : exitUsage;
}
