import {
  settingNames,
  settingOf,
  type SettingName,
  type Settings,
  type settingsTable,
} from './settings.ts';

/**
 * The settings of one of several processes. Clients spread evenly over the processes, so each process
 * gets an equal part, rounded up, of every limit on the whole service. Memory and file descriptors stay
 * within what the operator configured.
 *
 * A limit on one client is not divided. Chance decides which process gets a client's connections, and
 * a process with a part of the limit could refuse a client that is within it.
 */
export function limitsPerProcess(settings: Settings, processes: number): Settings {
  const parts = settingNames
    .filter(isShared)
    .map((name) => [name, Math.ceil(settings[name] / processes)]);
  return { ...settings, ...Object.fromEntries(parts) };
}

/** The settings that the workers share. The division above compiles for numbers only. */
type SharedName = {
  [K in SettingName]: (typeof settingsTable)[K] extends { readonly sharedOverWorkers: true }
    ? K
    : never;
}[SettingName];

function isShared(name: SettingName): name is SharedName {
  return settingOf(name).sharedOverWorkers === true;
}
