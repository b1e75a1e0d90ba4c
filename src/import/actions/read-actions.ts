import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isSeq, type Node } from 'yaml';
import { fromEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import {
  actionKey,
  factorOfTerms,
  hasTerms,
  isFactor,
  type CorporateAction,
} from '../../domain/history/corporate-action.ts';
import { priceOnBasisOf } from '../../domain/history/corporate-actions.ts';
import { baseAgeDaysMax, type ReferenceClose } from '../../domain/history/reference-closes.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { readCsvTable } from '../../universe/files/csv-table.ts';
import type { UniverseFault, FileText } from '../../universe/files/universe-fault.ts';
import { YamlFile } from '../../universe/files/yaml-file.ts';
import { actionExtensions } from '../files/sources.ts';
import { Records, type LocatedRecord } from '../files/records.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import {
  fileFields,
  readAction,
  type ActionField,
  type FieldTexts,
  type TermsAction,
} from './action-fields.ts';
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

interface ReadContext extends ActionContext {
  /** Gives the last stored close of an instrument before a day. */
  readonly closeBefore: (ticker: Ticker, day: EpochDay) => Promise<ReferenceClose | undefined>;
}

/**
 * Reads corporate actions from files, directories, archives and standard input (`-`). The format of a
 * file is recognised by its content: CSV, YAML, a chart of Yahoo Finance, or Alpaca's corporate actions. A
 * change of the ticker in any of the files says that a ticker is old, so a file with an unknown one is read
 * again after the last. The factor of an action with terms is computed from the last stored close before its ex date.
 */
export async function readActions(
  sources: readonly string[],
  context: ReadContext,
  stdin: AsyncIterable<Uint8Array>,
): Promise<ReadActions> {
  const records = new Records<CorporateAction | TermsAction>(actionKey, (action, before, place) => {
    if (isDeepStrictEqual({ ...before, source: action.source }, action)) return undefined;
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
    changes.push(...values.filter((one) => one.type === 'ticker-change'));
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
  const actions = await withFactors(records, context);
  const { faults, files } = records;
  return { actions, faults, unknown: [...names], files };
}

/** The actions of files, with the factors of those that have terms. Terms that give no factor are a fault. */
async function withFactors(
  records: Records<CorporateAction | TermsAction>,
  { recorded, closeBefore }: ReadContext,
): Promise<readonly CorporateAction[]> {
  const given = records.values.filter((one): one is CorporateAction => !('ratio' in one));
  const actions = [...given];
  for (const { value: action, file, line } of records.located) {
    if (!('ratio' in action)) continue;
    const { ticker, exDay, type, source } = action;
    const known = [...recorded.of(ticker), ...given.filter((one) => one.ticker === ticker)];
    // One that is recorded and in a file is one, and the factor of another action with terms has the same base.
    const units = [...new Map(known.map((one) => [actionKey(one), one])).values()].filter(
      (one) => one.exDay < exDay || !hasTerms(one.type),
    );
    const before = await closeBefore(ticker, exDay);
    const isRecent = before !== undefined && exDay - before.day <= baseAgeDaysMax;
    const close = isRecent
      ? priceOnBasisOf(before.close, units, { from: before.day, to: exDay })
      : undefined;
    const factor = close === undefined ? undefined : factorOfTerms(action, close);
    if (factor !== undefined && isFactor(factor)) {
      actions.push({ ticker, exDay, type, factor, source });
      continue;
    }
    const value = `${ticker} ${fromEpochDay(exDay)} ${type}`;
    const message =
      close === undefined
        ? `no close of the ${baseAgeDaysMax} days before the ex date is stored, from which the factor follows; import the closes first, or give the factor`
        : `${type === 'spin-off' ? 'ratio × price' : 'the price'} is not below ${close}, the last close before the ex date; correct the row, or delete it`;
    records.faults.push({ file, line, column: 0, value, message });
  }
  return actions;
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

const columns = fileFields.map((field) => field.toLowerCase());
const table = { columns, optional: new Set(columns.slice(3)) };

/** A CSV table, whose columns are {@link fileFields} in any order and case. */
function csvActions(source: FileText, context: ActionContext): ActionFile {
  const actions: LocatedRecord<CorporateAction | TermsAction>[] = [];
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
  const actions: LocatedRecord<CorporateAction | TermsAction>[] = [];
  for (const node of itemsOf(yaml)) {
    const before = yaml.faults.length;
    const fields = yaml.fields(node, 'an action', {
      required: fileFields.slice(0, 3),
      optional: fileFields.slice(3),
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
  return Object.fromEntries(fileFields.map((field) => [field, textOf(field)])) as FieldTexts;
}

function itemsOf(yaml: YamlFile): readonly Node[] {
  if (!yaml.isReadable) return [];
  if (!yaml.isMap(yaml.root)) return yaml.items(yaml.root, 'the file');
  const list = yaml.fields(yaml.root, 'the file', { required: ['actions'] }).get('actions');
  return list === undefined ? [] : yaml.items(list.value, 'actions');
}
