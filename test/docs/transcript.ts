/** A command of a `console` block, and the output that the document shows. */
export interface Step {
  readonly command: string;
  readonly output: string;
}

/**
 * The commands of a `console` block. A command follows `$ ` and may continue on the next lines (a
 * here-document, a line after a backslash). The lines up to the next command are its output.
 */
export function stepsOf(text: string): readonly Step[] {
  const steps: { command: string; output: string }[] = [];
  /** The line that ends the command's here-document. */
  let end: string | undefined;
  let goesOn = false;
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const last = steps.at(-1);
    const continues: boolean = end !== undefined || goesOn;
    const isCommand: boolean = continues || line.startsWith('$ ');
    if (continues) {
      if (last !== undefined) last.command += `\n${line}`;
      if (line === end) end = undefined;
    } else if (isCommand) {
      steps.push({ command: line.slice(2), output: '' });
      end = /<<'(\w+)'/.exec(line)?.[1];
    } else if (last === undefined) {
      throw new Error(`a console block must start with a command, not with: ${line}`);
    } else {
      last.output += `${line}\n`;
    }
    goesOn = isCommand && end === undefined && line.endsWith('\\');
  }
  return steps;
}

/** A pattern for texts that differ from run to run. */
const variable = new RegExp(
  [
    String.raw`(?<anything>…)`,
    String.raw`(?<instant>\d{4}-\d\d-\d\dT[\d:.]+Z)`,
    String.raw`(?<user>root@vm)`,
    String.raw`(?<number>(?<=cli\[)\d+|(?<=^id: )\d+)`,
    String.raw`(?<id>(?<=^Key |"id":")[0-9A-Za-z]{10})`,
    String.raw`(?<space> +)`,
  ].join('|'),
  'gm',
);
const patterns: Readonly<Record<string, string>> = {
  anything: '.*',
  instant: String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`,
  user: String.raw`\S+@\S+`,
  number: String.raw`\d+`,
  space: ' +',
};

/**
 * Compares output with the one that a document shows. `…` stands for any text within a line. Instants,
 * process ids, versions, users and the widths of columns may differ. The id of a key is recorded where it
 * first appears, and replaced from then on.
 *
 * @param ids maps the ids in the document to the real ones. The comparison adds to it.
 * @param isEndless accepts output that continues after the shown one.
 */
export function outputIsAsShown(
  shown: string,
  real: string,
  ids: Map<string, string>,
  isEndless = false,
): boolean {
  const text = withIds(shown.trim(), ids);
  const introduced: string[] = [];
  let pattern = '';
  let at = 0;
  for (const match of text.matchAll(variable)) {
    pattern += RegExp.escape(text.slice(at, match.index));
    at = match.index + match[0].length;
    const [kind = ''] = Object.entries(match.groups ?? {}).find(([, value]) => value) ?? [];
    if (kind === 'id' && ![...ids.values()].includes(match[0])) {
      introduced.push(match[0]);
      pattern += '([0-9A-Za-z]{10})';
    } else {
      pattern += patterns[kind] ?? RegExp.escape(match[0]);
    }
  }
  pattern += RegExp.escape(text.slice(at));
  const match = new RegExp(`^${pattern}${isEndless ? '' : '$'}`).exec(real.trim());
  if (match === null) return false;
  for (const [index, id] of introduced.entries()) ids.set(id, match[index + 1] ?? '');
  return true;
}

/** A text of a document with the shown ids replaced by the real ones. */
export function withIds(text: string, ids: ReadonlyMap<string, string>): string {
  let replaced = text;
  for (const [shown, real] of ids) replaced = replaced.replaceAll(shown, real);
  return replaced;
}
