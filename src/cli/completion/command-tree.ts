import type { Argument, Command, Option } from 'commander';
import { isSettingName, settingOf } from '../../config/settings/settings.ts';

/** What completes a value: some words, names of files or directories, or nothing. */
export type Completes = readonly string[] | 'files' | 'directories' | 'nothing';

/** One option of a command, by all of its flags. */
export interface OptionNode {
  /** `-o`, `--output`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** What completes its value. Absent for an option without a value. */
  readonly value?: Completes;
  /** Whether the option is accepted and not offered. */
  readonly isHidden: boolean;
}

/** One command with everything that completes it. */
export interface CommandNode {
  /** The words that call it, such as `pizarra keys create`. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly OptionNode[];
  /** What completes its arguments, one after the other. */
  readonly arguments: readonly Completes[];
  /** Whether the last argument may be repeated. */
  readonly isVariadic: boolean;
}

/** All commands of a program. The scripts for the shells contain nothing else about them. */
export function commandTree(command: Command, path = command.name()): readonly CommandNode[] {
  const help = command.createHelp();
  const offered = new Set(help.visibleOptions(command));
  const hidden = command.options.filter((option) => option.hidden);
  return [
    {
      path,
      commands: help.visibleCommands(command).map((one) => ({
        name: one.name(),
        description: help.subcommandDescription(one),
      })),
      options: [...offered, ...hidden].map((option) => optionNode(option, hidden)),
      arguments: command.registeredArguments.map(ofArgument),
      isVariadic: command.registeredArguments.at(-1)?.variadic === true,
    },
    ...command.commands.flatMap((one) => commandTree(one, `${path} ${one.name()}`)),
  ];
}

function optionNode(option: Option, hidden: readonly Option[]): OptionNode {
  const takesValue = option.required || option.optional;
  return {
    flags: [option.short, option.long].flatMap((flag) => flag ?? []),
    // The first sentence. A menu of a shell has no space for more.
    description: option.description.split(/(?<=\.) (?=[A-Z(])/, 1)[0] ?? '',
    isHidden: hidden.includes(option),
    ...(takesValue ? { value: ofOption(option) } : {}),
  };
}

function ofOption(option: Option): Completes {
  const name = option.attributeName();
  const words = isSettingName(name) ? settingOf(name).kind.words : option.argChoices;
  return words ?? byPlaceholder(/<(\w+)/.exec(option.flags)?.[1] ?? '');
}

function ofArgument(argument: Argument): Completes {
  return argument.argChoices ?? byPlaceholder(argument.name());
}

/** The placeholder of a value says what it is: `<FILE>`, `<DIR>`, `<PLACE>`. */
function byPlaceholder(placeholder: string): Completes {
  if (placeholder === 'FILE' || placeholder === 'SOURCE') return 'files';
  return placeholder === 'DIR' || placeholder === 'PLACE' ? 'directories' : 'nothing';
}

/** What a script for bash or zsh calls a kind of value. */
export function kindText(completes: Completes): string {
  return typeof completes === 'string' ? completes : `words ${completes.join(' ')}`;
}

/**
 * The function `_pizarra_value` of a script for bash or zsh. It sets `kind` to what completes the value
 * of an option of a command, and fails for an option without a value.
 */
export function valueFunction(nodes: readonly CommandNode[]): string {
  const patterns = new Map<string, string[]>();
  for (const { path, options } of nodes) {
    for (const { flags, value } of options) {
      if (value === undefined) continue;
      const kind = kindText(value);
      const some = patterns.get(kind) ?? [];
      some.push(...flags.map((flag) => `'${path} ${flag}'`));
      patterns.set(kind, some);
    }
  }
  const cases = [...patterns].map(
    ([kind, some]) => `    ${some.join(' | \\\n      ')})\n      kind='${kind}' ;;`,
  );
  return `_pizarra_value() {
  case "$1 $2" in
${cases.join('\n')}
    *) return 1 ;;
  esac
}`;
}
