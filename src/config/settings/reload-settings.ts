import { isDeepStrictEqual } from 'node:util';
import { settingNames, settingOf, type SettingName, type Settings } from './settings.ts';

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
  const changed = differing.filter((name) => settingOf(name).reloadable);
  return {
    settings: {
      ...current,
      ...Object.fromEntries(changed.map((name) => [name, configured[name]])),
    },
    changed,
    needRestart: differing.filter((name) => !settingOf(name).reloadable),
  };
}
