import { test } from 'node:test';

import { settingNames, settingOf, type SettingName } from '../../src/config/settings/settings.ts';
import { settingGroups } from '../../src/config/settings/table/setting.ts';
import { assertGenerated } from '../support/generated-file.ts';

/** `docs/settings.md`, as it follows from the table of settings. */
function settingsPage(): string {
  const groups = settingGroups.map((group) => {
    const names = settingNames.filter((name) => settingOf(name).group === group);
    return `## ${group}\n\n${names.map(entryOf).join('\n')}`;
  });
  return `${intro}\n${groups.join('\n\n')}\n`;
}

function entryOf(name: SettingName): string {
  const { description, fallback, kind, reloadable, sharedOverWorkers } = settingOf(name);
  const shown = fallback.includes('/universe') ? '`universe/` of the project' : `\`${fallback}\``;
  const about = [
    kind.valid.replace(/a whole number from |^empty, or /, ''),
    `default ${fallback === '' ? 'empty' : shown}`,
    ...(reloadable === true ? ['reloadable'] : []),
    ...(sharedOverWorkers === true ? ['divided among the workers'] : []),
  ];
  return `- \`${name}\` (${about.join('; ')}): ${description}`;
}

const intro = `# Settings

What can be set, and what applies by default. \`npm run docs\` generates this page from \`src/config/settings/settings.ts\`.

A setting is set by a flag, an environment variable or the configuration file, in this order of precedence: \`logLevel\` is \`--log-level\`, \`PIZARRA_LOG_LEVEL\`, and \`logLevel:\` in the file. The file is \`pizarra.yaml\` in the working directory, unless \`--config\` or \`PIZARRA_CONFIG\` names another one:

\`\`\`yaml
# pizarra.yaml
port: 8090
logLevel: warn
\`\`\`

\`deploy/pizarra.example.yaml\` shows how an editor finds the JSON Schema of the file. \`pizarra config show\` lists every setting and feed that is in force, and where it comes from. An invalid value or an unknown name stops the program with exit code 2.

Each setting has its valid values and its default. A reload (\`systemctl reload pizarra\`, or SIGHUP) applies the new values of those that are reloadable. The others apply after a restart, and the log names those that changed.
`;

test('docs/settings.md lists exactly the settings that exist, in their groups', () => {
  assertGenerated('docs/settings.md', settingsPage);
});
