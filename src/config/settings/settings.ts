import type { Setting } from './table/setting.ts';
import { logSettings } from './table/log-settings.ts';
import { privateListenerSettings } from './table/private-listener-settings.ts';
import { publicListenerSettings } from './table/public-listener-settings.ts';
import { rateLimitSettings } from './table/rate-limit-settings.ts';
import { requestSettings } from './table/request-settings.ts';
import { serviceSettings } from './table/service-settings.ts';
import { streamSettings } from './table/stream-settings.ts';

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
