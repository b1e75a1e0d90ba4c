import { Argument, Command as Parser, Option } from 'commander';

import type { Command, Flag, Group } from '../commands/form/command.ts';
import { commands } from '../commands/commands.ts';
import { defaultConfigName } from '../config/settings/read-config.ts';
import {
  configVariable,
  environmentName,
  flagName,
  settingOf,
  type SettingName,
} from '../config/settings/settings.ts';
import { completion } from './completion/completion.ts';
import { runCommand } from './run-command.ts';

/** All commands, in the order of the help. */
export const allCommands: typeof commands = {
  ...commands,
  completion: async () => completion(() => wholeProgram('')),
};

/**
 * The program with the named command alone. Without the name of a command it has all, for the help and for error
 * messages. So the service does not load the import, and a small command does not load the service.
 */
export async function programWith(name: string | undefined, version: string): Promise<Parser> {
  const one =
    name !== undefined && Object.hasOwn(allCommands, name) ? allCommands[name] : undefined;
  const wanted = one === undefined ? Object.values(allCommands) : [one];
  const program = new Parser('pizarra')
    .description('Self-hosted market quotes: latest quotes and daily closes over a small HTTP API.')
    .version(version)
    .showHelpAfterError('Run "pizarra --help" for all commands.');
  for (const load of wanted) program.addCommand(parserOf(await load()));
  return withExamples(program, [
    'pizarra serve                           # the demonstration, at http://127.0.0.1:8080',
    'pizarra import closes.csv               # columns such as ticker, date, close',
    'pizarra keys create --name desk',
    'pizarra doctor                          # check everything, and say what to do',
  ]);
}

/** The program with all of its commands. */
export function wholeProgram(version: string): Promise<Parser> {
  return programWith(undefined, version);
}

const examples = new WeakMap<Parser, readonly string[]>();

/** The examples of a command, as a shell reads them. */
export function examplesOf(parser: Parser): readonly string[] {
  return examples.get(parser) ?? [];
}

function withExamples(parser: Parser, lines: readonly string[]): Parser {
  examples.set(parser, lines);
  const shown = lines.map((example) => `  ${example}`).join('\n');
  return parser.addHelpText('after', `\nExamples:\n${shown}`);
}

/** Maximum number of examples of a group of commands. */
const groupExamplesMax = 4;

function parserOf(declared: Command | Group): Parser {
  const { name, summary } = declared;
  const parser = new Parser(name).description(summary);
  if ('commands' in declared) {
    for (const one of declared.commands) parser.addCommand(parserOf(one));
    const first = declared.commands.flatMap((one) => one.examples.slice(0, 1));
    return withExamples(parser, first.slice(0, groupExamplesMax));
  }
  const { description, args = {}, flags = {}, settings } = declared;
  if (description !== undefined) parser.summary(summary).description(description);
  for (const [form, text, parse] of Object.values(args)) {
    const argument = new Argument(form, text);
    if (typeof parse === 'function') argument.argParser(parse as Parse);
    else if (parse !== undefined) argument.choices(parse);
    parser.addArgument(argument);
  }
  for (const [flag, one] of Object.entries(flags)) parser.addOption(optionOf(flag, one));
  if (settings !== undefined) addSettings(parser, settings, declared.help);
  parser.action(() => runCommand(declared, parser));
  return withExamples(parser, declared.examples);
}

type Parse = (text: string, before: unknown) => unknown;

function optionOf(name: string, flag: Flag): Option {
  const { text, value, short, parse, choices, fallback, isRequired, conflicts } = flag;
  const long = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const names = short === undefined ? long : `${short}, ${long}`;
  const option = new Option(
    value === undefined ? names : `${names} ${value}`,
    isRequired ? `${text} (required)` : text,
  );
  if (parse !== undefined) option.argParser(parse as Parse);
  if (choices !== undefined) option.choices(choices);
  if (fallback !== undefined) option.default(fallback);
  if (isRequired) option.makeOptionMandatory();
  if (conflicts !== undefined) option.conflicts([...conflicts]);
  return option;
}

/** Adds `--config` and the flags of settings, which the help groups. */
function addSettings(parser: Parser, names: readonly SettingName[], help: Command['help']): void {
  for (const name of names) {
    const { group, kind, description, fallback } = settingOf(name);
    const shown = fallback === '' ? '' : `; default ${fallback}`;
    const text = help === 'whole' ? description : firstSentence(description);
    const option = new Option(
      `${flagName(name)} <${kind.placeholder}>`,
      `${text} (${environmentName(name)}${shown})`,
    );
    if (typeof help === 'object' && !help.includes(name)) option.hideHelp();
    parser.addOption(option.helpGroup(`${group}:`));
  }
  parser.option(
    '--config <FILE>',
    `Configuration file (${configVariable}; default ${defaultConfigName}, if it exists)`,
  );
}

/** A sentence ends with a period before a capital letter. */
function firstSentence(description: string): string {
  return description.split(/(?<=\.) (?=[A-Z])/, 1)[0] ?? description;
}
