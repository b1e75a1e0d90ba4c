import { Worker } from 'node:worker_threads';

import { FeedFault } from '../feed.ts';
import type { FeedFaultCode } from '../feed.ts';
import type { Body } from '../net/read-body.ts';

/** The formats that are read. */
export const formats = ['json', 'csv'] as const;

/** One response, and the expression that makes updates of it. */
export interface Evaluation {
  readonly expression: string;
  readonly format: (typeof formats)[number];
  readonly body: Body;
  /** The value of `$snapshotAt`, in epoch milliseconds. */
  readonly snapshotAt: number;
  /** The maximum time of the evaluation, in milliseconds. */
  readonly timeoutMs: number;
}

/** What the thread posts. */
export type Evaluated =
  | {
      /** A JSON list of what the expression gives. */
      readonly results: string;
      /** The parts of the response that could not be read. */
      readonly malformed: readonly string[];
    }
  | { readonly fault: { readonly code: FeedFaultCode; readonly message: string } };

/** The values that an expression gives for one response. */
export interface Results {
  readonly values: readonly unknown[];
  readonly malformed: readonly string[];
}

/**
 * The maximum memory of an evaluation, in MiB: a body of the maximum size and what an expression makes
 * of it. Beyond it, the thread ends and the evaluation is a fault.
 */
const memoryMiBMax = 256;

/**
 * Reads a response and evaluates the expression, in a thread of its own. An expression, or a regular
 * expression in it, may run without an end on some response. Only a thread can be stopped then, and
 * quotes and requests are not delayed meanwhile.
 *
 * @throws FeedFault when the response is not the data, or when the evaluation fails or exceeds its time
 *   or memory. Rejects with the reason of the signal when it aborts.
 */
export async function evaluate(evaluation: Evaluation, signal: AbortSignal): Promise<Results> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Evaluated>();
  const worker = new Worker(new URL('evaluate-worker.ts', import.meta.url), {
    name: 'http-expression',
    workerData: evaluation,
    resourceLimits: { maxOldGenerationSizeMb: memoryMiBMax },
  });
  const stop = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  const deadline = setTimeout(() => {
    reject(unintelligible(`the expression takes more than ${evaluation.timeoutMs} ms`));
  }, evaluation.timeoutMs);
  worker.once('message', resolve);
  worker.once('error', (error: NodeJS.ErrnoException) => reject(faultOfThread(error)));
  worker.once('exit', () => reject(unintelligible('the evaluation of the expression ended early')));
  try {
    const evaluated = await promise;
    if ('fault' in evaluated) throw new FeedFault(evaluated.fault.code, evaluated.fault.message);
    const { results, malformed } = evaluated;
    return { values: JSON.parse(results) as readonly unknown[], malformed };
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

function faultOfThread(error: NodeJS.ErrnoException): Error {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  return unintelligible(`the expression needs more than ${memoryMiBMax} MiB of memory`);
}

function unintelligible(message: string): FeedFault {
  return new FeedFault('unintelligible', message);
}
