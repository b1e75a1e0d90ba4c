import { readFeeds } from '../config/feeds/read-feeds.ts';
import type { ConfigFile } from '../config/settings/read-config.ts';
import { originOf, type SettingSources } from '../config/settings/resolve-settings.ts';
import {
  environmentName,
  flagName,
  settingNames,
  settingOf,
  type SettingName,
  type Settings,
} from '../config/settings/settings.ts';
import { formatAllowance } from '../domain/access/rate-limit.ts';
import { openPlace } from '../node/place/open-place.ts';
import { requireUniverse } from '../node/market/require-universe.ts';
import { StoreFault } from '../store/contract/store-fault.ts';
import { command, type Group } from './form/command.ts';
import { rows } from './form/report.ts';

const show = command({
  name: 'show',
  summary: 'show every setting and feed that is in force, and where it comes from',
  description:
    'show every setting and feed that is in force, and where it comes from: a flag, a variable, a line of the file, or the default. Secrets are not shown. Give the flags and variables of the service: all flags of "pizarra serve" are accepted',
  flags: { json: { text: 'print one JSON object' } },
  settings: settingNames,
  help: [],
  examples: [
    'pizarra config show',
    'pizarra config show --config /etc/pizarra/pizarra.yaml --json',
  ],
  async run({ flags, print, configuration }) {
    const { settings, file, sources, fileNamedBy } = await configuration();
    const shown = await Promise.all(
      settingNames.map(async (setting) => ({
        setting,
        ...(await shownValue(setting, settings)),
        ...settingOrigin(setting, sources, file),
      })),
    );
    const by = fileNamedBy === undefined ? '' : ` (${fileNamedBy})`;
    const settingRows = rows(shown, {
      setting: ['SETTING', ({ setting }) => setting],
      value: ['VALUE', ({ value }) => value, valueText],
      from: ['FROM', ({ from }) => from, originText],
    });
    const text = [
      file === undefined ? 'No configuration file.' : `File: ${file.name}${by}`,
      settingRows.text,
    ];
    // A feed with a fault fails the command, which has shown the settings until then.
    if (!flags.json) print(`${text.join('\n\n')}\n\n`);
    const configured = readFeeds({ settings, file }, await requireUniverse(settings.universe));
    const feeds = configured.feeds.map(({ config: { name, type } }) => ({
      feed: name,
      type,
      ...feedOrigin(name, settings, file),
    }));
    const feedRows = rows(feeds, {
      feed: ['FEED', ({ feed }) => feed],
      type: ['TYPE', ({ type }) => type],
      from: ['FROM', ({ from }) => from, originText],
    });
    const read = file === undefined ? null : { name: file.name, namedBy: fileNamedBy ?? null };
    return {
      sections: [feeds.length === 0 ? 'No feeds.' : feedRows],
      json: { file: read, settings: shown, feeds },
    };
  },
});

/** Where a value comes from. */
interface Origin {
  readonly from: ReturnType<typeof originOf> | 'preset';
  /** The flag, the variable, or the name in the file. Absent for a default. */
  readonly name?: string;
  /** The file and the line, from 1. */
  readonly file?: string;
  readonly line?: number;
}

function settingOrigin(
  setting: SettingName,
  sources: SettingSources,
  file: ConfigFile | undefined,
): Origin {
  const from = originOf(setting, sources);
  switch (from) {
    case 'flag':
      return { from, name: flagName(setting) };
    case 'environment':
      return { from, name: environmentName(setting) };
    case 'file':
      return { from, name: setting, ...placeIn(file, [setting], 'key') };
    case 'default':
      return { from };
  }
}

function feedOrigin(name: string, { market }: Settings, file: ConfigFile | undefined): Origin {
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
): Pick<Origin, 'file' | 'line'> {
  if (file === undefined) return {};
  const place = file.placeOf?.(path, part);
  return { file: file.name, ...(place === undefined ? {} : { line: place.line }) };
}

/** `--port`, `PIZARRA_PORT`, `pizarra.yaml:3`, `market argentina` or `default`. */
function originText({ from, name = '', file, line }: Origin): string {
  if (from === 'file') return line === undefined ? (file ?? name) : `${file}:${line}`;
  if (from === 'preset') return `market ${name}`;
  return from === 'default' ? from : name;
}

/** A value as JSON has it. A secret that is set is not shown. */
interface ShownValue {
  readonly value: unknown;
  readonly isSecret?: true;
}

async function shownValue(name: SettingName, settings: Settings): Promise<ShownValue> {
  const value = settings[name];
  if (name === 'store') return placeName(settings.store);
  if (settingOf(name).secret === true && value !== '') return { value: null, isSecret: true };
  if (typeof value === 'object' && 'burst' in value) return { value: formatAllowance(value) };
  if (name !== 'plans') return { value };
  const plans = [...settings.plans].map(([plan, limit]) => [plan, formatAllowance(limit)] as const);
  return { value: Object.fromEntries(plans) };
}

/** The name of a store, which has no password. The URL of a database that has a fault may have one. */
async function placeName(store: string): Promise<ShownValue> {
  try {
    await using place = openPlace(store);
    return { value: place.kind === 'sqlite' ? store : place.name };
  } catch (fault) {
    if (!(fault instanceof StoreFault)) throw fault;
    return { value: null, isSecret: true };
  }
}

function valueText({ value, isSecret }: ShownValue): string {
  if (isSecret) return '(set, not shown)';
  if (typeof value === 'string') return value === '' ? '""' : value;
  if (Array.isArray(value)) return value.length === 0 ? '""' : value.join(',');
  return JSON.stringify(value);
}

export const config: Group = {
  name: 'config',
  summary: 'show the settings that are in force',
  commands: [show],
};
