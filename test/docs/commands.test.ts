import { test } from 'node:test';

import { allCommands } from '../../src/cli/program.ts';
import type { Command, Group } from '../../src/commands/form/command.ts';
import { assertGenerated } from '../support/generated-file.ts';

/** `docs/commands.md`, as it follows from the list of commands. */
async function commandsPage(): Promise<string> {
  const all = await Promise.all(Object.values(allCommands).map((load) => load()));
  const sections = all.map((one) =>
    'commands' in one ? one.commands.map((below) => lineOf(below, one)) : [lineOf(one)],
  );
  return `${intro}\n${sections.flat().join('\n')}\n`;
}

function lineOf({ name, args = {}, summary }: Command, group?: Group): string {
  const words = [group?.name, name, ...Object.values(args).map(([form]) => form)];
  return `- \`${words.filter((word) => word !== undefined).join(' ')}\`: ${summary}.`;
}

const intro = `# Commands

\`npm run docs\` generates this page from the list in \`src/commands/commands.ts\`. \`pizarra COMMAND --help\` has the options and examples of a command, and so has the manual page (\`man pizarra\`).

A command exits with 0 if it succeeded, with 1 if it failed or found what is wrong, with 2 if the call or a setting is invalid, and with 130 after Ctrl-C. With \`--json\`, where a command has it, the output is one line for programs.
`;

test('docs/commands.md lists every command of the program', async () => {
  const page = await commandsPage();
  assertGenerated('docs/commands.md', () => page);
});
