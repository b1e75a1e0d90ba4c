import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  environmentName,
  flagName,
  settingNames,
  settingsTable,
} from '../../src/app/settings/settings.ts';

const file = new URL('../../docs/settings.md', import.meta.url);

/** `docs/settings.md`, as it follows from the table of settings. */
function settingsPage(): string {
  const entries = settingNames.map((name) => {
    const { description, fallback, valid } = settingsTable[name];
    const shown = fallback.includes('/universe') ? 'universe/ of the project' : fallback;
    return [
      `### ${name}`,
      description,
      [
        `- flag: \`${flagName(name)}\``,
        `- environment: \`${environmentName(name)}\``,
        `- takes: ${valid}`,
        `- default: ${shown === '' ? 'empty' : `\`${shown}\``}`,
      ].join('\n'),
    ].join('\n\n');
  });
  return `${intro}\n${entries.join('\n\n')}\n`;
}

const intro = `# Settings

Made from the table in \`src/app/settings/settings.ts\`; \`npm run docs\` writes it anew.

A setting is told by a flag, an environment variable or the configuration file, the first of these winning. The file is YAML, \`pizarra.yaml\` in the working directory unless \`--config\` or \`PIZARRA_CONFIG\` names another, and has the names below as its keys:

\`\`\`yaml
# pizarra.yaml
port: 8090
logLevel: warn
\`\`\`

A value that cannot be, or a name that is no setting, stops the program with exit code 2 and a sentence that says what would be valid.
`;

test('docs/settings.md lists exactly the settings that there are', () => {
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, settingsPage());
  assert.equal(readFileSync(file, 'utf8'), settingsPage());
});
