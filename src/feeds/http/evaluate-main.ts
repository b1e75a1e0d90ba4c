/**
 * The program of the process that reads one response and evaluates the expression. {@link evaluate} starts it and
 * ends it. It reads one {@link Evaluation} as JSON from its input, and prints one {@link Evaluated} as JSON.
 */
import { text } from 'node:stream/consumers';
import jsonata from 'jsonata';

import { FeedFault } from '../contract/feed.ts';
import { readJson } from '../net/read-body.ts';
import { describeValue } from './describe-value.ts';
import type { Evaluated, Evaluation } from './evaluate.ts';
import { expressionError } from './expression.ts';
import { readCsv, type CsvRows } from './read-csv.ts';
import { requireFewColumns, requireShallow } from './shape-limits.ts';

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

const evaluation = JSON.parse(await text(process.stdin)) as Evaluation;
process.stdout.write(toJson(await run(evaluation).catch(faultOf)));
