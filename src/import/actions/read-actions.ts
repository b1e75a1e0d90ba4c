import { basename } from 'node:path';
import { isSeq, type Node } from 'yaml';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { actionKey, type CorporateAction } from '../../domain/history/corporate-action.ts';
import { isSameApartFromSource } from '../../domain/history/corporate-actions.ts';
import { readCsvTable } from '../../universe/files/csv-table.ts';
import type { UniverseFault, FileText } from '../../universe/files/universe-fault.ts';
import { YamlFile } from '../../universe/files/yaml-file.ts';
import { actionExtensions } from '../files/sources.ts';
import { Records, type LocatedRecord } from '../files/records.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { actionFields, readAction, type ActionField, type FieldTexts } from './action-fields.ts';
import { jsonActions, notActions, type ActionContext, type ActionFile } from './json-actions.ts';

/** The content of several files. With faults, nothing may be stored. */
interface ReadActions {
  /** At most one action for each ticker, ex date and type. */
  readonly actions: readonly CorporateAction[];
  readonly faults: readonly UniverseFault[];
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
  const records = new Records<CorporateAction>(actionKey, (action, before, place) => {
    if (isSameApartFromSource(before, action)) return undefined;
    const { ticker, exDay, type } = action;
    const remedy =
      type === 'cash-dividend' ? 'add the amounts, and keep one row' : 'keep the right one';
    const message = `differs from ${place}; ${remedy}`;
    return { value: `${ticker} ${fromEpochDay(exDay)} ${type}`, message };
  });
  const changes: CorporateAction[] = [];
  const incomplete: FileText[] = [];
  await records.readTexts(sources, stdin, actionExtensions, (source) => {
    const { actions, faults, unknown } = readText(source, context);
    const values = actions.map(({ value }) => value);
    changes.push(...values.filter(({ type }) => type === 'ticker-change'));
    if (faults.length + unknown.length > 0) incomplete.push(source);
    else records.add(source.file, actions);
  });
  const recorded = context.recorded.with(changes);
  const names = new Set<string>();
  for (const source of incomplete) {
    const { actions, faults, unknown } = readText(source, { ...context, recorded });
    records.faults.push(...faults);
    for (const name of unknown) names.add(name);
    records.add(source.file, actions);
  }
  const { values: actions, faults, files } = records;
  return { actions, faults, unknown: [...names], files };
}

/** Reads one file. */
export function readText(source: FileText, context: ActionContext): ActionFile {
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

const columns = actionFields.map((field) => field.toLowerCase());
const table = { columns, optional: new Set(columns.slice(3)) };

/** A CSV table, whose columns are {@link actionFields} in any order and case. */
function csvActions(source: FileText, context: ActionContext): ActionFile {
  const actions: LocatedRecord<CorporateAction>[] = [];
  const faults = readCsvTable(source, table, (row) => {
    const { line, cells } = row;
    const texts = textsOf((field) => cells[field.toLowerCase()] ?? '');
    const wrong = (field: ActionField, message: string): void =>
      row.wrong(field.toLowerCase(), message, texts[field]);
    const value = readAction(texts, { ...context, source: basename(source.file) }, wrong);
    if (value !== undefined) actions.push({ value, line });
  });
  return { actions, faults, unknown: [] };
}

/** Maximum length of a YAML file, in characters. Its nodes take some 200 bytes for each character. */
const charsMax = 2_097_152;

/** A YAML list of actions, or a map with the key `actions` and such a list. */
function yamlActions(source: FileText, context: ActionContext): ActionFile {
  if (source.text.length > charsMax) {
    const message = `it is a YAML file of more than ${charsMax} characters; split it into several files, or use CSV`;
    throw new ImportRefusal('too-large', message);
  }
  const yaml = new YamlFile(source);
  if (yaml.isReadable && !isSeq(yaml.root) && !yaml.isMap(yaml.root))
    return notActions(source.file);
  const actions: LocatedRecord<CorporateAction>[] = [];
  for (const node of itemsOf(yaml)) {
    const before = yaml.faults.length;
    const fields = yaml.fields(node, 'an action', {
      required: actionFields.slice(0, 3),
      optional: actionFields.slice(3),
    });
    const texts = textsOf((field) => {
      const value = fields.get(field)?.value ?? null;
      return (value === null ? undefined : yaml.text(value, field)) ?? '';
    });
    if (yaml.faults.length > before) continue;
    const wrong = (field: ActionField, message: string): void =>
      yaml.fault(fields.get(field)?.value ?? node, `${field}: ${message}`, texts[field]);
    const value = readAction(texts, { ...context, source: basename(source.file) }, wrong);
    if (value !== undefined) actions.push({ value, line: yaml.located(node, '').line });
  }
  return { actions, faults: yaml.faults, unknown: [] };
}

function textsOf(textOf: (field: ActionField) => string): FieldTexts {
  return Object.fromEntries(actionFields.map((field) => [field, textOf(field)])) as FieldTexts;
}

function itemsOf(yaml: YamlFile): readonly Node[] {
  if (!yaml.isReadable) return [];
  if (!yaml.isMap(yaml.root)) return yaml.items(yaml.root, 'the file');
  const list = yaml.fields(yaml.root, 'the file', { required: ['actions'] }).get('actions');
  return list === undefined ? [] : yaml.items(list.value, 'actions');
}
