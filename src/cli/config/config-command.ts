import { Command } from 'commander';
import {
  showFeeds,
  showSettings,
  type ShownFeed,
  type ShownOrigin,
  type ShownSetting,
} from '../../operator/show-config.ts';
import { settingNames } from '../../config/settings/settings.ts';
import { addSettingOptions, sourcesOf } from '../flags/setting-options.ts';
import { print } from '../terminal/print.ts';
import { formatTable } from '../terminal/table.ts';

/** `pizarra config`: commands for the settings. */
export function configCommand(): Command {
  return new Command('config')
    .description('show the settings that are in force')
    .addCommand(showCommand());
}

/** `pizarra config show` */
function showCommand(): Command {
  const command = new Command('show')
    .summary('show every setting and feed that is in force, and where it comes from')
    .description(
      'show every setting and feed that is in force, and where it comes from: a flag, a variable, a line of the file, or the default. Secrets are not shown. Give the flags and variables of the service: all flags of "pizarra serve" are accepted',
    )
    .option('--json', 'print one JSON object');
  return addSettingOptions(command, settingNames, []).action(runShow);
}

async function runShow(flags: Record<string, unknown>): Promise<void> {
  const { sources, file, fileNamedBy } = await sourcesOf(flags);
  const { settings, shown } = await showSettings(sources, file);
  if (flags['json'] === true) {
    const feeds = await showFeeds(settings, file);
    const read = file === undefined ? null : { name: file.name, namedBy: fileNamedBy ?? null };
    print(`${JSON.stringify({ file: read, settings: shown, feeds }, undefined, 2)}\n`);
    return;
  }
  const by = fileNamedBy === undefined ? '' : ` (${fileNamedBy})`;
  print(file === undefined ? 'No configuration file.\n\n' : `File: ${file.name}${by}\n\n`);
  print(`${formatTable(['SETTING', 'VALUE', 'FROM'], shown.map(settingCells))}\n\n`);
  const feeds = await showFeeds(settings, file);
  print(
    feeds.length === 0
      ? 'No feeds.\n'
      : `${formatTable(['FEED', 'TYPE', 'FROM'], feeds.map(feedCells))}\n`,
  );
}

function settingCells(one: ShownSetting): readonly string[] {
  return [one.setting, one.isSecret ? '(set, not shown)' : valueText(one.value), originText(one)];
}

function feedCells(one: ShownFeed): readonly string[] {
  return [one.feed, one.type, originText(one)];
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : value;
  if (Array.isArray(value)) return value.length === 0 ? '""' : value.join(',');
  return JSON.stringify(value);
}

/** `--port`, `PIZARRA_PORT`, `pizarra.yaml:3`, `market argentina` or `default`. */
function originText({ from, name = '', file, line }: ShownOrigin): string {
  if (from === 'file') return line === undefined ? (file ?? name) : `${file}:${line}`;
  if (from === 'preset') return `market ${name}`;
  return from === 'default' ? from : name;
}
