import { isDeepStrictEqual } from 'node:util';

import type { Setting } from './table/setting.ts';
import { logSettings, serviceSettings } from './table/service-settings.ts';
import { privateListenerSettings, publicListenerSettings } from './table/listener-settings.ts';
import { rateLimitSettings } from './table/rate-limit-settings.ts';
import { requestSettings, streamSettings } from './table/request-settings.ts';

/**
 * The one table of settings, in the order of its groups. Environment variables, flags, the
 * configuration file, `--help` and `docs/settings.md` follow from it: `privatePort` is
 * `--private-port`, `PIZARRA_PRIVATE_PORT`, and `privatePort:` in the file.
 */
export const settingsTable = {
  ...serviceSettings,
  ...publicListenerSettings,
  ...requestSettings,
  ...streamSettings,
  ...rateLimitSettings,
  ...privateListenerSettings,
  ...logSettings,
} as const;

/** The name of a setting. */
export type SettingName = keyof typeof settingsTable;

/** All settings, resolved. */
export type Settings = {
  readonly [K in SettingName]: NonNullable<ReturnType<(typeof settingsTable)[K]['kind']['parse']>>;
};

/** The names of all settings, in the order of the table. */
export const settingNames = Object.keys(settingsTable) as readonly SettingName[];

/** A setting, without the type of its value. */
export function settingOf(name: SettingName): Setting<unknown> {
  return settingsTable[name];
}

/** Whether a text is the name of a setting. */
export function isSettingName(text: string): text is SettingName {
  return Object.hasOwn(settingsTable, text);
}

/** The environment variable that names the configuration file. */
export const configVariable = 'PIZARRA_CONFIG';

/** The environment variable of a setting: `basePath` → `PIZARRA_BASE_PATH`. */
export function environmentName(name: string): string {
  return `PIZARRA_${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;
}

/** The flag of a setting: `basePath` → `--base-path`. */
export function flagName(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, '-$&').toLowerCase()}`;
}

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

/** The result of a reload of the settings. */
export interface SettingChanges {
  /** The settings from now on. */
  readonly settings: Settings;
  /** The settings whose new value applies from now on. */
  readonly changed: readonly SettingName[];
  /** The settings whose new value applies after a restart only. */
  readonly needRestart: readonly SettingName[];
}

/**
 * The settings of a running service when `configured` is to replace `current`. A setting that is not
 * reloadable keeps its current value.
 */
export function reloadSettings(current: Settings, configured: Settings): SettingChanges {
  const differing = settingNames.filter(
    (name) => !isDeepStrictEqual(current[name], configured[name]),
  );
  const changed = differing.filter((name) => settingOf(name).reloadable === true);
  return {
    settings: {
      ...current,
      ...Object.fromEntries(changed.map((name) => [name, configured[name]])),
    },
    changed,
    needRestart: differing.filter((name) => settingOf(name).reloadable !== true),
  };
}
