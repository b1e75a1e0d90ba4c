import { FeedFault, type FeedFaultCode } from '../contract/feed.ts';
import type { FetchedBody } from '../net/read-body.ts';
import { limits, runEvaluator, type Ending } from './evaluator-process.ts';
import { WorkLimit } from './turns.ts';

/** The formats that are read. */
export const formats = ['json', 'csv'] as const;

/** One response, and the expression that makes updates of it. */
export interface Evaluation {
  readonly expression: string;
  readonly format: (typeof formats)[number];
  readonly body: FetchedBody;
  /** The value of `$snapshotAt`, in epoch milliseconds. */
  readonly snapshotAt: number;
  /** The maximum processor time of the evaluation, in whole seconds. A busy machine does not shorten it. */
  readonly cpuSeconds: number;
}

/** What the evaluator prints. */
export type Evaluated =
  | {
      /** What the expression gives. */
      readonly values: readonly unknown[];
      /** The parts of the response that could not be read. */
      readonly malformed: readonly string[];
    }
  | { readonly fault: { readonly code: FeedFaultCode; readonly message: string } };

/** The values that an expression gives for one response. */
export interface Results {
  readonly values: readonly unknown[];
  readonly malformed: readonly string[];
}

/** Maximum number of evaluators that run at once. Further evaluations wait. */
const evaluatorsMax = 2;

const turns = new WorkLimit(evaluatorsMax);

/**
 * Reads a response and evaluates the expression, in a process of its own. Both come from other people: an
 * expression may run without an end on some response, and some values make V8 end its process. A thread is
 * part of the process and would end it too. Quotes and requests are not delayed meanwhile.
 *
 * @throws FeedFault when the response is not the data, or when the evaluation fails or exceeds its
 *   processor time or memory. Rejects with the reason of the signal when it aborts.
 */
export async function evaluate(evaluation: Evaluation, signal: AbortSignal): Promise<Results> {
  using _ = await turns.take(signal);
  const { cpuSeconds } = evaluation;
  const ending = await runEvaluator(JSON.stringify(evaluation), { cpuSeconds, signal });
  if (ending.type !== 'printed') throw unintelligible(reasonOf(ending, cpuSeconds));
  const evaluated = JSON.parse(ending.text) as Evaluated;
  if ('fault' in evaluated) throw new FeedFault(evaluated.fault.code, evaluated.fault.message);
  return evaluated;
}

const advice = 'Request fewer rows from the source, or simplify the expression';

function reasonOf(
  ending: Exclude<Ending, { readonly type: 'printed' }>,
  cpuSeconds: number,
): string {
  switch (ending.type) {
    case 'late':
      return `the expression takes more than ${cpuSeconds} s of processor time. ${advice}`;
    case 'too-long':
      return `the expression gives more than ${limits.outputMiB} MiB of updates. ${advice}`;
    case 'died':
      return `the expression needs more than ${limits.heapMiB} MiB of memory, or more than V8 supports (${ending.how}). ${advice}`;
    case 'not-started':
      return `the process that evaluates expressions cannot be started (${ending.reason})`;
  }
}

function unintelligible(message: string): FeedFault {
  return new FeedFault('unintelligible', message);
}
