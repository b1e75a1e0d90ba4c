import { actionKey, type CorporateAction } from '../../domain/history/corporate-action.ts';
import { isSameApartFromSource } from '../../domain/history/corporate-actions.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { actionExtensions, leavesOfSources, wholeText } from '../files/sources.ts';
import type {
  ActionContext,
  ActionFault,
  ActionFile,
  ActionText,
  LocatedAction,
} from './action-file.ts';
import { csvActions } from './csv-actions.ts';
import { jsonActions } from './json-actions.ts';
import { yamlActions } from './yaml-actions.ts';

/** The content of several files. With faults, nothing may be stored. */
interface ReadActions {
  /** At most one action for each ticker, ex date and type. */
  readonly actions: readonly CorporateAction[];
  readonly faults: readonly ActionFault[];
  /** Names of instruments whose actions were left out, because the universe lacks them. */
  readonly unknown: readonly string[];
  readonly files: number;
}

/**
 * Reads corporate actions from files, directories, archives and standard input (`-`). The format of a
 * file is recognised by its content: CSV, YAML, a chart of Yahoo Finance, or Alpaca's corporate actions. A
 * change of the ticker in any of the files says that a ticker is old, so a file with an unknown one is read
 * again after the last.
 */
export async function readActions(
  sources: readonly string[],
  context: ActionContext,
  stdin: AsyncIterable<Uint8Array>,
): Promise<ReadActions> {
  const collected = new Collected();
  const changes: CorporateAction[] = [];
  const incomplete: ActionText[] = [];
  let files = 0;
  for await (const leaf of leavesOfSources(sources, stdin, { extensions: actionExtensions })) {
    if (leaf.type === 'skipped') continue;
    files += 1;
    try {
      const source = { file: leaf.name, text: await wholeText(leaf) };
      const read = readText(source, context);
      const renamed = read.actions.map(({ action }) => action);
      changes.push(...renamed.filter(({ type }) => type === 'ticker-change'));
      if (read.faults.length + read.unknown.length > 0) incomplete.push(source);
      else collected.add(leaf.name, read);
    } catch (error) {
      if (!(error instanceof ImportRefusal)) throw error;
      collected.refuse(leaf.name, error.message);
    }
  }
  const recorded = context.recorded.with(changes);
  for (const source of incomplete) {
    collected.add(source.file, readText(source, { ...context, recorded }));
  }
  return { ...collected.result, files };
}

/** Reads one file. */
export function readText(source: ActionText, context: ActionContext): ActionFile {
  const start = source.text.trimStart();
  if (start.startsWith('{') || start.startsWith('[')) {
    return jsonActions(source, context) ?? yamlActions(source, context);
  }
  // A header of a table has several columns. A line of YAML begins with a hyphen or ends a key.
  const firstLine = firstLineOf(start);
  const isTable = /[,;\t]/.test(firstLine) && !/^-|:(?:\s|$)/.test(firstLine);
  return isTable ? csvActions(source, context) : yamlActions(source, context);
}

/** The first line that is neither empty nor a comment of YAML. */
function firstLineOf(text: string): string {
  return text.split('\n').find((line) => line.trim() !== '' && !/^\s*(?:#|---)/.test(line)) ?? '';
}

/** The actions of all files. Two different ones with one ticker, ex date and type are a fault. */
class Collected {
  readonly #byKey = new Map<string, LocatedAction & { readonly file: string }>();
  readonly #faults: ActionFault[] = [];
  readonly #unknown = new Set<string>();

  get result(): Omit<ReadActions, 'files'> {
    return {
      actions: [...this.#byKey.values()].map(({ action }) => action),
      faults: this.#faults,
      unknown: [...this.#unknown],
    };
  }

  refuse(file: string, message: string): void {
    this.#faults.push({ file, line: 0, column: 0, value: '', message });
  }

  add(file: string, { actions, faults, unknown }: ActionFile): void {
    this.#faults.push(...faults);
    for (const name of unknown) this.#unknown.add(name);
    for (const located of actions) this.#addAction(file, located);
  }

  #addAction(file: string, { action, line }: LocatedAction): void {
    const { ticker, exDay, type } = action;
    const key = actionKey(action);
    const before = this.#byKey.get(key);
    if (before === undefined) this.#byKey.set(key, { action, line, file });
    else if (!isSameApartFromSource(before.action, action)) {
      const place = before.line === 0 ? before.file : `${before.file}:${before.line}`;
      const remedy =
        type === 'cash-dividend' ? 'add the amounts, and keep one row' : 'keep the right one';
      this.#faults.push({
        file,
        line,
        column: 0,
        value: `${ticker} ${fromEpochDay(exDay)} ${type}`,
        message: `differs from ${place}; ${remedy}`,
      });
    }
  }
}
