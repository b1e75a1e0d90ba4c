import { isDeepStrictEqual } from 'node:util';
import { settingNames } from './settings.ts';
import type { SettingName, Settings } from './settings.ts';

/**
 * The settings that a running service takes over. The others belong to what is not renewed: the data
 * directory, the listeners with their connections, the form of the log.
 */
const takenOver: ReadonlySet<SettingName> = new Set<SettingName>([
  'universe',
  'basePath',
  'logLevel',
  'tickersPerRequestMax',
  'settleDelayMinutes',
  'streamsPerKeyMax',
  'streamsMax',
  'streamHeartbeatMs',
  'streamStallMs',
  'plans',
  'defaultPlan',
  'failuresPerAddress',
  'historyCacheMib',
  'corsOrigins',
]);

/** What becomes of settings that are told anew while a service runs. */
export interface SettingChanges {
  /** What holds from now on. */
  readonly settings: Settings;
  /** What of it is new. */
  readonly changed: readonly SettingName[];
  /** What is told otherwise, and takes a restart. */
  readonly needRestart: readonly SettingName[];
}

/** The settings in force when `told` replaces `held` without a restart. */
export function reloadSettings(held: Settings, told: Settings): SettingChanges {
  const differing = settingNames.filter((name) => !isDeepStrictEqual(held[name], told[name]));
  const changed = differing.filter((name) => takenOver.has(name));
  return {
    settings: { ...held, ...Object.fromEntries(changed.map((name) => [name, told[name]])) },
    changed,
    needRestart: differing.filter((name) => !takenOver.has(name)),
  };
}
