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
      `- flag: \`${flagName(name)}\``,
      `- environment: \`${environmentName(name)}\``,
      `- valid: ${kind.valid}`,
      `- default: ${fallback === '' ? 'empty' : shown}`,
      `- a new value applies: ${reloadable === true ? 'on reload' : 'after a restart'}`,
      ...(sharedOverWorkers === true ? ['- with several workers: divided among them'] : []),
    ].join('\n'),
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

\`schemas/pizarra.schema.json\` is the JSON Schema of the file. With it an editor completes names and values, shows these descriptions and marks faults. Name it in the first line of the file, as \`deploy/pizarra.example.yaml\` does, for example \`# yaml-language-server: $schema=/opt/pizarra/lib/node_modules/pizarra/schemas/pizarra.schema.json\`. It does not know the universe, other files and the network: \`pizarra doctor\` checks the whole configuration.

\`pizarra config show\` lists every setting and feed that is in force, and where it comes from: a flag, a variable, a line of the file, or the default. It shows no secrets. \`--json\` gives the same to programs.

An invalid value or an unknown name stops the program with exit code 2. The message says what would be valid.

A reload (\`systemctl reload pizarra\`, or SIGHUP) reads the settings again. It applies the new values of the settings marked _on reload_, and logs a warning that names the others that changed.
`;

test('docs/settings.md lists exactly the settings that exist, in their groups', () => {
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, settingsPage());
  assert.equal(readFileSync(file, 'utf8'), settingsPage());
});
