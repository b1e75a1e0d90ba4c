import type { Command } from 'commander';
import { programOf } from './program.ts';

/** The module of each command, in the order of the help. */
const makers: Readonly<Record<string, (version: string) => Promise<Command>>> = {
  serve: async (version) => (await import('./commands/serve-command.ts')).serveCommand(version),
  import: async () => (await import('./commands/import-command.ts')).importCommand(),
  actions: async () => (await import('./actions/actions-command.ts')).actionsCommand(),
  indices: async () => (await import('./indices/indices-command.ts')).indicesCommand(),
  history: async () => (await import('./history/history-command.ts')).historyCommand(),
  bonos: async () => (await import('./bonds/bonos-command.ts')).bonosCommand(),
  sources: async () => (await import('./sources/sources-command.ts')).sourcesCommand(),
  export: async () => (await import('./commands/export-command.ts')).exportCommand(),
  backup: async () => (await import('./commands/backup-command.ts')).backupCommand(),
  restore: async () => (await import('./commands/backup-command.ts')).restoreCommand(),
  store: async () => (await import('./store/store-command.ts')).storeCommand(),
  keys: async () => (await import('./keys/keys-command.ts')).keysCommand(),
  mcp: async (version) => (await import('./commands/mcp-command.ts')).mcpCommand(version),
  universe: async () => (await import('./universe/universe-command.ts')).universeCommand(),
  config: async () => (await import('./config/config-command.ts')).configCommand(),
  health: async () => (await import('./commands/health-command.ts')).healthCommand(),
  doctor: async () => (await import('./commands/doctor-command.ts')).doctorCommand(),
  completion: async (version) =>
    (await import('./completion/completion-command.ts')).completionCommand(() =>
      wholeProgram(version),
    ),
};

/**
 * Loads the named command alone. Without the name of a command it loads all, for the help and for
 * error messages. So the service does not load the import, and a small command does not load the
 * service.
 */
export function commandsFor(name: string | undefined, version: string): Promise<Command[]> {
  const make = name !== undefined && Object.hasOwn(makers, name) ? makers[name] : undefined;
  const wanted = make === undefined ? Object.values(makers) : [make];
  return Promise.all(wanted.map((one) => one(version)));
}

/** The program with all of its commands. */
export async function wholeProgram(version: string): Promise<Command> {
  return programOf(version, await commandsFor(undefined, version));
}
