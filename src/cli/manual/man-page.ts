import type { Command, Option } from 'commander';
import { isSettingName, settingNames, settingOf } from '../../config/settings/settings.ts';
import { settingGroups } from '../../config/settings/table/setting.ts';
import { examplesOf } from '../program.ts';

/** The manual page of the program, in the macros of man(7). It has what the help of every command has. */
export function manPage(program: Command): string {
  const commands = leavesOf(program, program.name());
  const serve = commands.find(({ command }) => command.name() === 'serve');
  return [
    '.\\" Written from the commands of the program by src/cli/manual/man-page.ts.',
    `.TH PIZARRA 1 "" "Pizarra ${program.version() ?? ''}" "User Commands"`,
    macro('SH', 'NAME'),
    'pizarra \\- self\\-hosted market quotes',
    macro('SH', 'SYNOPSIS'),
    '\\fBpizarra\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]',
    macro('SH', 'DESCRIPTION'),
    paragraph(program.description()),
    paragraph(
      'Settings are set by flags, by environment variables or in a configuration file, in this order of precedence. Every command shows its help with --help.',
    ),
    macro('SH', 'COMMANDS'),
    ...commands.flatMap(commandSection),
    macro('SH', 'SETTINGS'),
    ...(serve === undefined ? [] : settingsSection(serve.command)),
    ...ending,
    '',
  ].join('\n');
}

interface Leaf {
  readonly path: string;
  readonly command: Command;
}

function leavesOf(command: Command, path: string): readonly Leaf[] {
  if (command.commands.length === 0) return [{ path, command }];
  return command.commands.flatMap((one) => leavesOf(one, `${path} ${one.name()}`));
}

function commandSection({ path, command }: Leaf): readonly string[] {
  const help = command.createHelp();
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  const own = options.filter((option) => !isSetting(option));
  const settings = options.filter(isSetting).flatMap(({ long }) => long ?? []);
  const accepted = new Set(command.options.map((one) => one.attributeName()));
  const hasAll = settingNames.every((name) => accepted.has(name));
  return [
    macro('SS', `${path} ${command.usage()}`),
    paragraph(sentence(command.description())),
    ...help
      .visibleArguments(command)
      .flatMap((one) => entry(help.argumentTerm(one), help.argumentDescription(one))),
    ...own.flatMap((one) => entry(help.optionTerm(one), help.optionDescription(one))),
    ...(settings.length === 0
      ? []
      : [paragraph(`Settings: ${hasAll ? 'all' : settings.join(', ')} (see below).`)]),
    ...exampleLines(command),
  ];
}

function exampleLines(command: Command): readonly string[] {
  const examples = examplesOf(command);
  return examples.length === 0 ? [] : ['.PP', '.EX', ...examples.map(roffText), '.EE'];
}

function settingsSection(serve: Command): readonly string[] {
  const help = serve.createHelp();
  const settings = serve.options.filter(isSetting).filter(({ hidden }) => !hidden);
  return settingGroups.flatMap((group) => [
    macro('SS', group),
    ...settings
      .filter((option) => option.helpGroupHeading === `${group}:`)
      .flatMap((option) => entry(help.optionTerm(option), withoutPath(option.description))),
  ]);
}

function isSetting(option: Option): boolean {
  return isSettingName(option.attributeName());
}

/** The default of the universe is a path of this machine. */
function withoutPath(description: string): string {
  return description.replaceAll(settingOf('universe').fallback, 'universe/ of the program');
}

function entry(term: string, description: string): readonly string[] {
  return ['.TP', `\\fB${roffText(term)}\\fR`, roffText(withoutPath(sentence(description)))];
}

/** A description as a sentence: those of commands and options begin in lower case, without a period. */
function sentence(description: string): string {
  const whole = /[.)]$/.test(description) ? description : `${description}.`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

const ending = [
  macro('SH', 'ENVIRONMENT'),
  ...entry('PIZARRA_…', 'Every setting, as SETTINGS names it'),
  ...entry('PIZARRA_CONFIG', 'The configuration file'),
  ...entry('PIZARRA_KEY, PIZARRA_URL', 'The key and the service of "pizarra mcp"'),
  ...entry('NO_COLOR', 'When set, the log has no colours'),
  macro('SH', 'FILES'),
  ...entry('pizarra.yaml', 'The configuration file, if no other is named'),
  ...entry('./data', 'The data, if no other place is named'),
  macro('SH', 'EXIT STATUS'),
  ...entry('0', 'The command succeeded'),
  ...entry('1', 'The command failed, or found what is wrong'),
  ...entry('2', 'The call or a setting is invalid'),
  ...entry('130', 'The command was interrupted'),
  macro('SH', 'SEE ALSO'),
  paragraph('The folder docs/ of the program: settings.md, deploying.md, operating.md, keys.md.'),
];

/** A text in the language of troff: every character is printed as it is. */
function roffText(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('…', '\\&...');
  // A line that begins with a period or an apostrophe would be a request.
  return escaped.replaceAll(/^(?=[.'])/gm, '\\&');
}

/** A macro with one argument. */
function macro(name: string, argument: string): string {
  return `.${name} "${roffText(argument).replaceAll('"', '\\(dq')}"`;
}

/** A paragraph of text. */
function paragraph(text: string): string {
  return `.PP\n${roffText(text)}`;
}
