import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('./evaluate-main.ts', import.meta.url));

const mebibyte = 1024 * 1024;

/** The limits of one evaluator. */
export const limits = {
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

/** How an evaluator ended. */
export type Ending =
  | { readonly type: 'printed'; readonly text: string }
  /** It used its processor time, and was ended by the operating system. */
  | { readonly type: 'late' }
  /** It printed too much, and was killed. */
  | { readonly type: 'too-long' }
  /** It was ended by V8 or by the operating system. */
  | { readonly type: 'died'; readonly how: string }
  | { readonly type: 'not-started'; readonly reason: string };

/**
 * Runs one evaluator with its input, and returns what it prints. The shell sets the limits of the operating system,
 * which the process cannot raise again: memory, and processor time, which also ends it if this process is gone. The
 * time that it waits for a processor does not count, so a busy machine refuses no expression. The evaluator gets none of
 * the environment, which may contain secrets.
 *
 * Rejects with the reason of the signal when it aborts.
 */
export async function runEvaluator(
  input: string,
  { cpuSeconds, signal }: { readonly cpuSeconds: number; readonly signal: AbortSignal },
): Promise<Ending> {
  signal.throwIfAborted();
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
  const { promise, resolve, reject } = Promise.withResolvers<Ending>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > limits.outputMiB * mebibyte) resolve({ type: 'too-long' });
  });
  // It may end before it has read its input.
  child.stdin.on('error', () => undefined);
  child.once('error', ({ message }) => resolve({ type: 'not-started', reason: message }));
  child.once('close', (code, how) => {
    const text = Buffer.concat(chunks).toString();
    if (code === 0) resolve({ type: 'printed', text });
    else if (how === 'SIGXCPU') resolve({ type: 'late' });
    else resolve({ type: 'died', how: how ?? `exit code ${code}` });
  });
  const stop = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  child.stdin.end(input);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', stop);
    child.kill('SIGKILL');
  }
}
