/**
 * The program of the thread that reads one response and evaluates the expression. {@link evaluate}
 * starts it and ends it. It posts one {@link Evaluated}.
 */
import { parentPort, workerData } from 'node:worker_threads';
import jsonata from 'jsonata';

import { FeedFault } from '../feed.ts';
import { readJson } from '../net/read-body.ts';
import { describeValue } from './describe-value.ts';
import type { Evaluated, Evaluation } from './evaluate.ts';
import { expressionError } from './expression.ts';
import { readCsv } from './read-csv.ts';

/** The maximum depth of calls within an expression. */
const depthMax = 500;

/** The maximum number of updates, and of intermediate values in one sequence. */
const sequenceMax = 1_000_000;

async function run(evaluation: Evaluation): Promise<Evaluated> {
  const { expression, format, body, snapshotAt, timeoutMs } = evaluation;
  const { rows: input, malformed } =
    format === 'csv' ? readCsv(body) : { rows: readJson(body), malformed: [] };
  const value = await valueOf(input, {
    expression,
    snapshotAt,
    limits: { timeout: timeoutMs, stack: depthMax, sequence: sequenceMax },
  });
  const results: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!results.some((one) => typeof one === 'object' && one !== null)) {
    const found = `the expression gives ${describeValue(value)} instead of updates`;
    throw unintelligible(`${found}; the response is ${describeValue(input)}`);
  }
  return { results: toJson(results), malformed };
}

interface Input {
  readonly expression: string;
  readonly snapshotAt: number;
  readonly limits: jsonata.JsonataOptions;
}

async function valueOf(
  input: unknown,
  { expression, snapshotAt, limits }: Input,
): Promise<unknown> {
  try {
    const bindings = { snapshotAt: new Date(snapshotAt).toISOString() };
    return (await jsonata(expression, limits).evaluate(input, bindings)) as unknown;
  } catch (error) {
    const what = expressionError(expression, error);
    throw unintelligible(`the expression fails: ${what}; the response is ${describeValue(input)}`);
  }
}

/** As JSON, because functions, which an expression may give too, cannot be posted. */
function toJson(results: readonly unknown[]): string {
  try {
    return JSON.stringify(results);
  } catch {
    throw unintelligible('the expression gives a value that cannot be written as JSON');
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

const port = parentPort;
const evaluated = await run(workerData as Evaluation).catch(faultOf);
port?.postMessage(evaluated);
