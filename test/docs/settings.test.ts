import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  environmentName,
  flagName,
  settingNames,
  settingOf,
  type SettingName,
} from '../../src/config/settings/settings.ts';
import { settingGroups } from '../../src/config/settings/table/setting.ts';

const file = new URL('../../docs/settings.md', import.meta.url);

/** `docs/settings.md`, as it follows from the table of settings. */
function settingsPage(): string {
  const groups = settingGroups.map((group) => {
    const names = settingNames.filter((name) => settingOf(name).group === group);
    return [`## ${group}`, ...names.map(entryOf)].join('\n\n');
  });
  return `${intro}\n${groups.join('\n\n')}\n`;
}

function entryOf(name: SettingName): string {
  const { description, fallback, kind, reloadable, sharedOverWorkers } = settingOf(name);
  const shown = fallback.includes('/universe') ? '`universe/` of the project' : `\`${fallback}\``;
  return [
    `### ${name}`,
    description,
    [
      `\`${flagName(name)}\`, \`${environmentName(name)}\`: ${kind.valid}. Default: ${fallback === '' ? 'empty' : shown}.`,
      ...(reloadable === true ? ['Applies on reload.'] : []),
      ...(sharedOverWorkers === true ? ['Divided among the workers.'] : []),
    ].join(' '),
  ].join('\n\n');
}

const intro = `# Settings

\`npm run docs\` generates this page from the table in \`src/config/settings/settings.ts\`.

A setting is set by a flag, an environment variable or the configuration file, in this order of precedence. The file is YAML. It is \`pizarra.yaml\` in the working directory, unless \`--config\` or \`PIZARRA_CONFIG\` names another file. Its keys are the names below:

\`\`\`yaml
# pizarra.yaml
port: 8090
logLevel: warn
\`\`\`

\`schemas/pizarra.schema.json\` is the JSON Schema of the file, for editors. Name it in the first line of the file, as \`deploy/pizarra.example.yaml\` does, for example \`# yaml-language-server: $schema=/opt/pizarra/lib/node_modules/pizarra/schemas/pizarra.schema.json\`. \`pizarra doctor\` checks the whole configuration.

\`pizarra config show\` lists every setting and feed that is in force, and where it comes from: a flag, a variable, a line of the file, or the default. It shows no secrets.

An invalid value or an unknown name stops the program with exit code 2. The message says what would be valid.

A reload (\`systemctl reload pizarra\`, or SIGHUP) reads the settings again. It applies the new values of the settings that say so. The others apply after a restart, and the log names those that changed.
`;

test('docs/settings.md lists exactly the settings that exist, in their groups', () => {
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, settingsPage());
  assert.equal(readFileSync(file, 'utf8'), settingsPage());
});
