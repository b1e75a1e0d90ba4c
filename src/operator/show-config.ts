import { formatAllowance } from '../domain/access/rate-limit.ts';
import { StoreFault } from '../store/contract/store-fault.ts';
import { openPlace } from '../node/place/open-place.ts';
import type { ConfigFile } from '../config/settings/read-config.ts';
import { resolveConfiguration } from '../node/service/resolve-configuration.ts';
import {
  originOf,
  type SettingSource,
  type SettingSources,
} from '../config/settings/resolve-settings.ts';
import {
  environmentName,
  flagName,
  settingNames,
  settingOf,
  type SettingName,
  type Settings,
} from '../config/settings/settings.ts';
import { readFeeds } from '../config/feeds/read-feeds.ts';
import { requireUniverse } from '../node/site/require-universe.ts';

/** Where a value comes from. */
export interface ShownOrigin {
  readonly from: SettingSource | 'preset';
  /** The flag, the variable, or the name in the file. Absent for a default. */
  readonly name?: string;
  /** The file and the line, from 1. */
  readonly file?: string;
  readonly line?: number;
}

/** One setting in force. */
export interface ShownSetting extends ShownOrigin {
  readonly setting: SettingName;
  /** A secret is null. */
  readonly value: unknown;
  /** Whether the value is set and not shown. */
  readonly isSecret?: true;
}

/** One feed in force. */
export interface ShownFeed extends ShownOrigin {
  readonly feed: string;
  readonly type: string;
}

/**
 * The settings that are in force with these sources, in the order of the table, and where each comes from.
 * No secret is among the values.
 *
 * @throws UsageFault when a setting is invalid.
 */
export async function showSettings(
  sources: SettingSources,
  file: ConfigFile | undefined,
): Promise<{ readonly settings: Settings; readonly shown: readonly ShownSetting[] }> {
  const settings = await resolveConfiguration(sources, file);
  const shown: ShownSetting[] = [];
  for (const setting of settingNames) {
    const value = await shownValue(setting, settings);
    shown.push({
      setting,
      ...(value === undefined ? { value: null, isSecret: true } : { value }),
      ...shownOrigin(setting, sources, file),
    });
  }
  return { settings, shown };
}

/**
 * The feeds that are in force, in the order in which they are preferred. Their fields are left out.
 *
 * @throws OperatorFault when the universe or a feed is invalid.
 */
export async function showFeeds(
  settings: Settings,
  file: ConfigFile | undefined,
): Promise<readonly ShownFeed[]> {
  const { feeds } = readFeeds({ settings, file }, await requireUniverse(settings.universe));
  return feeds.map(({ config: { name, type } }) => ({
    feed: name,
    type,
    ...feedOrigin(name, settings, file),
  }));
}

function shownOrigin(
  setting: SettingName,
  sources: SettingSources,
  file: ConfigFile | undefined,
): ShownOrigin {
  const source = originOf(setting, sources);
  switch (source) {
    case 'flag':
      return { from: source, name: flagName(setting) };
    case 'environment':
      return { from: source, name: environmentName(setting) };
    case 'file':
      return { from: source, name: setting, ...placeIn(file, [setting], 'key') };
    case 'default':
      return { from: source };
  }
}

function feedOrigin(name: string, { market }: Settings, file: ConfigFile | undefined): ShownOrigin {
  const own = Array.isArray(file?.feeds)
    ? (file.feeds as readonly { readonly name?: unknown }[])
    : [];
  const index = own.findIndex((one) => one.name === name);
  if (index === -1) return { from: 'preset', name: market };
  return { from: 'file', name: `feeds[${index}]`, ...placeIn(file, ['feeds', index], 'value') };
}

function placeIn(
  file: ConfigFile | undefined,
  path: readonly (string | number)[],
  part: 'key' | 'value',
): Pick<ShownOrigin, 'file' | 'line'> {
  if (file === undefined) return {};
  const place = file.placeOf?.(path, part);
  return { file: file.name, ...(place === undefined ? {} : { line: place.line }) };
}

/** A value as JSON has it. Undefined for a secret. */
async function shownValue(name: SettingName, settings: Settings): Promise<unknown> {
  const value = settings[name];
  if (name === 'store') return await placeName(settings.store);
  if (settingOf(name).secret === true) return value === '' ? value : undefined;
  if (typeof value === 'object' && 'burst' in value) return formatAllowance(value);
  if (name !== 'plans') return value;
  const plans = [...settings.plans].map(([plan, limit]) => [plan, formatAllowance(limit)] as const);
  return Object.fromEntries(plans);
}

/** The name of a store, which has no password. Undefined for the URL of a database that has a fault. */
async function placeName(store: string): Promise<string | undefined> {
  try {
    await using place = openPlace(store);
    return place.kind === 'sqlite' ? store : place.name;
  } catch (fault) {
    if (!(fault instanceof StoreFault)) throw fault;
    return undefined;
  }
}
