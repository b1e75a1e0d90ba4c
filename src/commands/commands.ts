import type { Command, Group } from './form/command.ts';

/** The module of each command, in the order of the help. A module is loaded when its command is called. */
export const commands: Readonly<Record<string, () => Promise<Command | Group>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  import: async () => (await import('./import/import.ts')).importCommand,
  actions: async () => (await import('./actions/actions.ts')).actions,
  indices: async () => (await import('./indices/indices.ts')).indices,
  history: async () => (await import('./history/history.ts')).history,
  bonos: async () => (await import('./bonos.ts')).bonos,
  sources: async () => (await import('./sources.ts')).sources,
  export: async () => (await import('./export/export.ts')).exportCommand,
  backup: async () => (await import('./store.ts')).backup,
  restore: async () => (await import('./store.ts')).restore,
  store: async () => (await import('./store.ts')).store,
  keys: async () => (await import('./keys/keys.ts')).keys,
  mcp: async () => (await import('./mcp.ts')).mcp,
  universe: async () => (await import('./universe.ts')).universe,
  config: async () => (await import('./config.ts')).config,
  health: async () => (await import('./doctor.ts')).health,
  doctor: async () => (await import('./doctor.ts')).doctor,
};
