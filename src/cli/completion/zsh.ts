import type { CommandNode } from './command-tree.ts';
import { kindText, valueFunction } from './command-tree.ts';

/** The script that completes the program in zsh: to be sourced, or as a file `_pizarra` in `fpath`. */
export function zshScript(nodes: readonly CommandNode[]): string {
  return `#compdef pizarra
# Completion of pizarra for zsh, written by "pizarra completion zsh".

# What a command offers: its commands and options with descriptions, and what completes its arguments.
_pizarra_offers() {
  commands=() options=() arguments=() variadic=
  case "$1" in
${nodes.map(offersCase).join('\n')}
  esac
}

# What completes the value of an option of a command.
${valueFunction(nodes)}

${walk}

if [[ $funcstack[1] == _pizarra ]]; then
  _pizarra "$@"
else
  compdef _pizarra pizarra
fi
`;
}

function offersCase({ path, commands, options, arguments: args, isVariadic }: CommandNode): string {
  const flags = options
    .filter(({ isHidden }) => !isHidden)
    .flatMap(({ flags: some, description }) => some.map((flag) => entry(flag, description)));
  return [
    `    '${path}')`,
    `      commands=(${commands.map(({ name, description }) => entry(name, description)).join(' ')})`,
    `      options=(${flags.join(' ')})`,
    `      variadic=${isVariadic ? 'yes' : ''}`,
    `      arguments=(${args.map((one) => `'${kindText(one)}'`).join(' ')}) ;;`,
  ].join('\n');
}

/** A word with its description, as `_describe` reads them. */
function entry(word: string, description: string): string {
  return `'${word}:${description.replaceAll("'", `'\\''`)}'`;
}

/** Finds the command under way, and then what completes the current word. */
const walk = `_pizarra() {
  local at=pizarra word option kind variadic i current=$words[CURRENT]
  integer position=1
  local -a commands options arguments
  _pizarra_offers "$at"
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    if [[ -n $option ]]; then
      option=
      continue
    fi
    case $word in
      -*) _pizarra_value "$at" "$word" && option=$word ;;
      *)
        if [[ " \${(j: :)\${(@)commands%%:*}} " == *" $word "* ]]; then
          at="$at $word"
          _pizarra_offers "$at"
        else
          position+=1
        fi ;;
    esac
  done
  if [[ $current == --*=* ]] && _pizarra_value "$at" "\${current%%=*}"; then
    option=\${current%%=*}
    compset -P 1 '*='
  fi
  if [[ -n $option ]]; then
    _pizarra_value "$at" "$option"
  elif [[ $current == -* ]]; then
    kind=options
  elif (( $#commands > 0 )); then
    kind=commands
  else
    [[ -n $variadic ]] && (( position > $#arguments )) && position=$#arguments
    kind=$arguments[position]
    [[ \${kind:-nothing} == nothing ]] && kind=options
  fi
  case $kind in
    files) _files ;;
    directories) _files -/ ;;
    commands) _describe -t commands command commands ;;
    options) _describe -t options option options ;;
    words\\ *) compadd -- \${=kind#words } ;;
  esac
}`;
