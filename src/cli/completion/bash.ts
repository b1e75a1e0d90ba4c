import type { CommandNode } from './command-tree.ts';
import { kindText, valueFunction } from './command-tree.ts';

/** The script that completes the program in bash 3.2 and newer. */
export function bashScript(nodes: readonly CommandNode[]): string {
  return `# Completion of pizarra for bash, written by "pizarra completion bash".

# What a command offers: its commands, its options, and what completes its arguments.
_pizarra_offers() {
  commands= options= variadic= arguments=()
  case "$1" in
${nodes.map(offersCase).join('\n')}
  esac
}

# What completes the value of an option of a command.
${valueFunction(nodes)}

${walk}
complete -F _pizarra pizarra
`;
}

function offersCase({ path, commands, options, arguments: args, isVariadic }: CommandNode): string {
  const flags = options.filter(({ isHidden }) => !isHidden).flatMap((option) => option.flags);
  return [
    `    '${path}')`,
    `      commands='${commands.map(({ name }) => name).join(' ')}'`,
    `      options='${flags.join(' ')}'`,
    `      variadic=${isVariadic ? 'yes' : ''}`,
    `      arguments=(${args.map((one) => `'${kindText(one)}'`).join(' ')}) ;;`,
  ].join('\n');
}

/** Finds the command under way, and then what completes the current word. */
const walk = `_pizarra() {
  local at=pizarra word current option kind commands options variadic i position=0
  local -a arguments
  COMPREPLY=()
  current=\${COMP_WORDS[COMP_CWORD]}
  _pizarra_offers "$at"
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ -n $option ]]; then
      # Bash makes three words of --option=value.
      [[ $word = '=' ]] || option=
      continue
    fi
    case $word in
      -*) _pizarra_value "$at" "$word" && option=$word ;;
      *)
        if [[ " $commands " = *" $word "* ]]; then
          at="$at $word"
          _pizarra_offers "$at"
        else
          position=$((position + 1))
        fi ;;
    esac
  done
  [[ $current = '=' ]] && current=
  if [[ -n $option ]]; then
    _pizarra_value "$at" "$option"
  elif [[ $current = -* ]]; then
    kind="words $options"
  elif [[ -n $commands ]]; then
    kind="words $commands"
  else
    [[ -n $variadic && $position -ge \${#arguments[@]} ]] && position=$((\${#arguments[@]} - 1))
    kind=\${arguments[position]}
    [[ \${kind:-nothing} = nothing ]] && kind="words $options"
  fi
  while IFS= read -r word; do
    COMPREPLY+=("$word")
  done < <(
    case $kind in
      files) compgen -f -- "$current" ;;
      directories) compgen -d -- "$current" ;;
      words\\ *) compgen -W "\${kind#words }" -- "$current" ;;
    esac
  )
  case $kind in
    # Bash 3.2 has no compopt. Outside of a completion it fails.
    files | directories) compopt -o filenames 2>/dev/null ;;
  esac
  return 0
}`;
