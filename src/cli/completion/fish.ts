import type { CommandNode, Completes, OptionNode } from './command-tree.ts';

/** The script that completes the program in fish. */
export function fishScript(nodes: readonly CommandNode[]): string {
  const valued = nodes.flatMap(({ path, options }) =>
    options
      .filter(({ value }) => value !== undefined)
      .flatMap(({ flags }) => flags.map((flag) => quoted(`${path} ${flag}`))),
  );
  return `# Completion of pizarra for fish, written by "pizarra completion fish".

set -g __pizarra_commands ${nodes.map(({ path }) => quoted(path)).join(' ')}
set -g __pizarra_valued ${valued.join(' ')}

# Whether the command under way has this path.
function __pizarra_at
    set -l at pizarra
    set -l is_value no
    for word in (commandline -opc)[2..-1]
        if test $is_value = yes
            set is_value no
        else if contains -- "$at $word" $__pizarra_valued
            set is_value yes
        else if contains -- "$at $word" $__pizarra_commands
            set at "$at $word"
        end
    end
    test $at = $argv[1]
end

complete -c pizarra -f
${nodes.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ path, commands, options, arguments: args }: CommandNode): readonly string[] {
  const start = `complete -c pizarra -n ${quoted(`__pizarra_at "${path}"`)}`;
  return [
    ...commands.map(
      ({ name, description }) => `${start} -a ${quoted(name)} -d ${quoted(description)}`,
    ),
    ...args.filter((one) => one !== 'nothing').map((one) => `${start} ${argumentFlags(one)}`),
    ...options
      .filter(({ isHidden }) => !isHidden)
      .map((option) => `${start} ${optionFlags(option)}`),
  ];
}

function optionFlags({ flags, description, value }: OptionNode): string {
  const names = flags.map((flag) => flag.replace(/^--/, '-l ').replace(/^-(?=\w$)/, '-s '));
  const completed = value === undefined ? [] : [valueFlags(value)];
  return [...names, ...completed, `-d ${quoted(description)}`].join(' ');
}

function valueFlags(value: Completes): string {
  if (value === 'nothing') return '-x';
  return value === 'files' ? '-r -F' : `-x ${argumentFlags(value)}`;
}

function argumentFlags(value: Completes): string {
  if (value === 'files') return '-F';
  if (value === 'directories') return "-a '(__fish_complete_directories)'";
  return typeof value === 'string' ? '' : `-a ${quoted(value.join(' '))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
