import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ParallelQueue } from '../../lib/time/serial-queue.ts';
import { FeedFault, type FeedFaultCode } from '../contract/feed.ts';
import type { FetchedBody } from '../net/read-body.ts';

const program = fileURLToPath(new URL('./evaluate-main.ts', import.meta.url));

const mebibyte = 1024 * 1024;

const advice = 'Request fewer rows from the source, or simplify the expression';

/** The limits of one evaluator. */
const limits = {
  /** The memory of its objects, which V8 limits: a body of the maximum size and what an expression makes of it. */
  heapMiB: 256,
  /**
   * All its writable memory, which the operating system limits (RLIMIT_DATA). V8 reserves about 500 MiB of it for
   * itself at the start, without using them. Linux counts all mappings. macOS counts only a small part of them, so
   * there the limits of V8 apply alone.
   */
  dataMiB: 1024,
  /** What it prints. */
  outputMiB: 64,
} as const;

/**
 * Runs one evaluator with its input, and returns what it prints. The shell sets the limits of the operating system,
 * which the process cannot raise again: memory, and processor time, which also ends it if this process is gone. The
 * time that it waits for a processor does not count, so a busy machine refuses no expression. The evaluator gets none of
 * the environment, which may contain secrets.
 *
 * @throws FeedFault when it cannot be started, or exceeds a limit. Rejects with the reason of the signal when it aborts.
 */
async function runEvaluator(evaluation: Evaluation, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const { cpuSeconds } = evaluation;
  // At the soft limit the system sends SIGXCPU, at the hard limit SIGKILL.
  const setLimits = `ulimit -c 0; ulimit -H -t ${cpuSeconds + 1}; ulimit -S -t ${cpuSeconds}; ulimit -d ${limits.dataMiB * 1024} 2>/dev/null; exec "$0" "$@"`;
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      setLimits,
      process.execPath,
      `--max-old-space-size=${limits.heapMiB}`,
      '--disable-warning=ExperimentalWarning',
      program,
    ],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {},
    },
  );
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const fail = (message: string): void => reject(new FeedFault('unintelligible', message));
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes <= limits.outputMiB * mebibyte) return;
    fail(`the expression gives more than ${limits.outputMiB} MiB of updates. ${advice}`);
  });
  // It may end before it has read its input.
  child.stdin.on('error', () => undefined);
  child.once('error', ({ message }) =>
    fail(`the process that evaluates expressions cannot be started (${message})`),
  );
  child.once('close', (code, how) => {
    if (code === 0) resolve(Buffer.concat(chunks).toString());
    else if (how === 'SIGXCPU') {
      fail(`the expression takes more than ${cpuSeconds} s of processor time. ${advice}`);
    } else {
      // V8 or the operating system has ended it.
      const ending = how ?? `exit code ${code}`;
      fail(
        `the expression needs more than ${limits.heapMiB} MiB of memory, or more than V8 supports (${ending}). ${advice}`,
      );
    }
  });
  child.stdin.end(JSON.stringify(evaluation));
  try {
    return await untilAborted(promise, signal);
  } finally {
    child.kill('SIGKILL');
  }
}

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

/** The values that an expression gives for one response. */
export interface Results {
  readonly values: readonly unknown[];
  /** The parts of the response that could not be read. */
  readonly malformed: readonly string[];
}

/** What the evaluator prints. */
export type Evaluated =
  | Results
  | { readonly fault: { readonly code: FeedFaultCode; readonly message: string } };

/** Maximum number of evaluators that run at once. */
const evaluatorsMax = 2;

const turns = new ParallelQueue(evaluatorsMax);

/**
 * Reads a response and evaluates the expression, in a process of its own. Both come from other people: an
 * expression may run without an end on some response, and some values make V8 end its process. A thread is
 * part of the process and would end it too. Quotes and requests are not delayed meanwhile.
 *
 * @throws FeedFault when the response is not the data, or when the evaluation fails or exceeds its
 *   processor time or memory. Rejects with the reason of the signal when it aborts.
 */
export async function evaluate(evaluation: Evaluation, signal: AbortSignal): Promise<Results> {
  signal.throwIfAborted();
  const turn = turns.run(() => runEvaluator(evaluation, signal));
  const printed = await untilAborted(turn, signal);
  const evaluated = JSON.parse(printed) as Evaluated;
  if ('fault' in evaluated) throw new FeedFault(evaluated.fault.code, evaluated.fault.message);
  return evaluated;
}

/** The result of work, which may still wait for its turn. Rejects with the reason of the signal as soon as it aborts. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
