import { settingNames } from '../config/settings/settings.ts';
import { showFeeds, showSettings, type ShownOrigin } from '../operator/show-config.ts';
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
  async run({ flags, print, ...context }) {
    const { sources, file, fileNamedBy } = await context.sources();
    const { settings, shown } = await showSettings(sources, file);
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
    const feeds = await showFeeds(settings, file);
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

function valueText({
  value,
  isSecret,
}: {
  readonly value: unknown;
  readonly isSecret?: true;
}): string {
  if (isSecret) return '(set, not shown)';
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

export const config: Group = {
  name: 'config',
  summary: 'show the settings that are in force',
  commands: [show],
};
