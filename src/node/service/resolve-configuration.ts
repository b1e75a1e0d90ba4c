import { UsageFault } from '../../lib/reports/operator-fault.ts';
import type { ConfigFile } from '../../config/settings/read-config.ts';
import { resolveSettings, type SettingSources } from '../../config/settings/resolve-settings.ts';
import {
  environmentName,
  type SettingName,
  type Settings,
} from '../../config/settings/settings.ts';

/**
 * The settings of a configuration, as {@link resolveSettings} resolves them.
 *
 * @throws UsageFault that lists every fault of the settings and of the feeds, so that an operator corrects them
 *   together. Faults of the feeds alone are left to `readFeeds`.
 */
export async function resolveConfiguration(
  sources: SettingSources,
  file: ConfigFile | undefined,
): Promise<Settings> {
  try {
    return resolveSettings(sources);
  } catch (fault) {
    if (!(fault instanceof UsageFault)) throw fault;
    const ofFeeds = await feedFaults(sources, file);
    if (ofFeeds === undefined) throw fault;
    throw new UsageFault(`${fault.message}\n${ofFeeds}`, { cause: fault });
  }
}

/** The faults of the feeds. Undefined for none, and if the universe they are checked against has faults. */
async function feedFaults(
  sources: SettingSources,
  file: ConfigFile | undefined,
): Promise<string | undefined> {
  if (file?.feeds === undefined) return undefined;
  // Loaded only now: every command resolves settings, and most of them read no feed.
  const { loadUniverse } = await import('../../universe/load-universe.ts');
  const { readFeeds } = await import('../../config/feeds/read-feeds.ts');
  const loaded = await loadUniverse(settingAlone('universe', sources));
  if (!loaded.ok) return undefined;
  try {
    readFeeds({ settings: { market: settingAlone('market', sources) }, file }, loaded.universe);
    return undefined;
  } catch (fault) {
    if (fault instanceof UsageFault) return fault.message;
    throw fault;
  }
}

/** A setting, whatever is wrong with the others; its default if it is wrong itself. */
function settingAlone<Name extends SettingName>(
  name: Name,
  { flags, environment, file }: SettingSources,
): Settings[Name] {
  try {
    return resolveSettings({
      flags: pick(flags, name),
      environment: pick(environment, environmentName(name)),
      ...(file && { file: { ...file, values: pick(file.values, name) } }),
    })[name];
  } catch (fault) {
    if (!(fault instanceof UsageFault)) throw fault;
    return resolveSettings({ flags: {}, environment: {} })[name];
  }
}

function pick<T>(record: Readonly<Record<string, T>>, name: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([one]) => one === name));
}
