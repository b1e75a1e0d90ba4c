import { text as textOf } from 'node:stream/consumers';
import jsonata from 'jsonata';
import Papa from 'papaparse';
import { FeedFault } from '../contract/feed.ts';
import { type FetchedBody, faultOfBody, isPage, readJson } from '../net/read-body.ts';
import type { Evaluated, Evaluation } from './evaluate.ts';
import { expressionError } from './expression.ts';

/** Maximum number of columns of a CSV. Each cell becomes a field of an object. */
const columnsMax = 1_000;

/** Maximum depth of lists and objects in a JSON document. An expression visits each level with a further nested call. */
const depthMax = 100;

/**
 * Refuses a CSV with too many columns, before it is read.
 *
 * @throws FeedFault `unintelligible`
 */
function requireFewColumns(text: string): void {
  let line = 1;
  let separators = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === lineFeed) {
      line += 1;
      separators = 0;
    } else if (separatorCodes.has(code)) separators += 1;
    if (separators < columnsMax) continue;
    throw new FeedFault(
      'unintelligible',
      `line ${line} of the response has more than ${columnsMax} columns, the maximum. Request fewer columns from the source`,
    );
  }
}

const lineFeed = 0x0a;

/** The separators that are detected: comma, tab, bar, semicolon, and the ASCII separators of records and units. */
const separatorCodes: ReadonlySet<number> = new Set([0x2c, 0x09, 0x7c, 0x3b, 0x1e, 0x1f]);

/**
 * Refuses a JSON that is nested too deep, before it is read.
 *
 * @throws FeedFault `unintelligible`
 */
function requireShallow(text: string): void {
  let depth = 0;
  let isWithinText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isWithinText) {
      if (code === backslash) at += 1;
      else if (code === quote) isWithinText = false;
    } else if (code === quote) isWithinText = true;
    else if (code === bracket || code === brace) depth += 1;
    // A closing character differs from its opening one by two.
    else if (code === bracket + 2 || code === brace + 2) depth -= 1;
    if (depth <= depthMax) continue;
    throw new FeedFault(
      'unintelligible',
      `the response has lists or objects ${depthMax + 1} deep, and the maximum is ${depthMax}`,
    );
  }
}

const quote = 0x22;
const backslash = 0x5c;
const bracket = 0x5b;
const brace = 0x7b;

/** The maximum number of names of fields in a description. */
const namesMax = 12;

/** The maximum length of a text in a description, in characters. */
const textCharsMax = 40;

/** Describes a value in one line of bounded length, for an operator whose expression gives no update. */
function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return `the text ${shortened(value)}`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (!Array.isArray(value)) return describeObject(value);
  const [first] = value as readonly unknown[];
  if (value.length === 0) return 'an empty list';
  const item = Array.isArray(first) ? 'a list' : describeValue(first);
  return `a list of ${value.length}, the first of which is ${item}`;
}

function describeObject(value: object): string {
  const names = Object.keys(value);
  if (names.length === 0) return 'an object without fields';
  const shown = names.slice(0, namesMax).map(shortened).join(', ');
  return `an object with the fields ${shown}${names.length > namesMax ? ', …' : ''}`;
}

function shortened(text: string): string {
  return JSON.stringify(text.length > textCharsMax ? `${text.slice(0, textCharsMax)}…` : text);
}

/** The rows of a CSV with a line of names. Every value is a text. */
interface CsvRows {
  readonly rows: readonly unknown[];
  /** Why rows are left out, each with its number: they have too few or too many cells. */
  readonly malformed: readonly string[];
}

/**
 * Reads a CSV. The separator is detected.
 *
 * @throws FeedFault `unintelligible` or `limited` for a body that is no table of at least two columns
 *   with at least one row.
 */
function readCsv(body: FetchedBody): CsvRows {
  const { data, errors, meta } = Papa.parse<unknown>(body.text, {
    header: true,
    skipEmptyLines: 'greedy',
  });
  if (isPage(body.text) || data.length === 0 || (meta.fields ?? []).length < 2) {
    throw faultOfBody(body, 'CSV');
  }
  const faulty = new Map(errors.map(({ row, message }) => [row, message]));
  const rows = data.filter((_, index) => !faulty.has(index));
  if (rows.length === 0) throw faultOfBody(body, 'CSV');
  return {
    rows,
    malformed: [...faulty].map(([row = 0, text]) => `row number ${row + 1}: ${text}`),
  };
}

/**
 * The program of the process that reads one response and evaluates the expression. {@link evaluate} starts it and
 * ends it. It reads one {@link Evaluation} as JSON from its input, and prints one {@link Evaluated} as JSON.
 */

const expressionLimits: jsonata.JsonataOptions = {
  /** The maximum depth of calls within an expression. */
  stack: 500,
  /** The maximum number of updates, and of intermediate values in one sequence. */
  sequence: 1_000_000,
};

async function run(evaluation: Evaluation): Promise<Evaluated> {
  const { expression, format, body, snapshotAt } = evaluation;
  const { rows: input, malformed } = read(format, body);
  const value = await valueOf(input, { expression, snapshotAt });
  const results: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!results.some((one) => typeof one === 'object' && one !== null)) {
    const found = `the expression gives ${describeValue(value)} instead of updates`;
    throw unintelligible(`${found}; the response is ${describeValue(input)}`);
  }
  return { values: results, malformed };
}

function read(format: Evaluation['format'], body: Evaluation['body']): CsvRows | JsonRows {
  if (format === 'csv') {
    requireFewColumns(body.text);
    return readCsv(body);
  }
  requireShallow(body.text);
  return { rows: readJson(body), malformed: [] };
}

interface JsonRows {
  readonly rows: unknown;
  readonly malformed: readonly string[];
}

interface Input {
  readonly expression: string;
  readonly snapshotAt: number;
}

async function valueOf(input: unknown, { expression, snapshotAt }: Input): Promise<unknown> {
  try {
    const bindings = { snapshotAt: new Date(snapshotAt).toISOString() };
    return (await jsonata(expression, expressionLimits).evaluate(input, bindings)) as unknown;
  } catch (error) {
    const what = expressionError(expression, error);
    throw unintelligible(`the expression fails: ${what}; the response is ${describeValue(input)}`);
  }
}

/** Functions, which an expression may give too, are left out or become null. */
function toJson(evaluated: Evaluated): string {
  try {
    return JSON.stringify(evaluated);
  } catch {
    const fault = unintelligible('the expression gives a value that cannot be written as JSON');
    return JSON.stringify(faultOf(fault));
  }
}

function unintelligible(message: string): FeedFault {
  return new FeedFault('unintelligible', message);
}

function faultOf(error: unknown): Evaluated {
  const { code, message } =
    error instanceof FeedFault
      ? error
      : unintelligible(`the response cannot be read: ${String(error)}`);
  return { fault: { code, message } };
}

const evaluation = JSON.parse(await textOf(process.stdin)) as Evaluation;
process.stdout.write(toJson(await run(evaluation).catch(faultOf)));
