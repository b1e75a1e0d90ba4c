import type { CommandNode, Completes } from './command-tree.ts';

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
