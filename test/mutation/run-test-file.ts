import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const preload = join(import.meta.dirname, 'serve-mutant.ts');

/** The result of a test file. */
export interface TestRun {
  readonly ending: 'passed' | 'failed' | 'timeout';
  readonly ms: number;
  /** The output, truncated. */
  readonly output: string;
}

const outputMax = 4_000;

/** Running process groups. They end with this process. */
const running = new Set<number>();
process.once('exit', () => {
  for (const pid of running) endGroup(pid);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** Runs one test file in a separate process. At the time limit, it is killed with all its children. */
export async function runTestFile(
  path: string,
  { env, timeoutMs }: { readonly env: NodeJS.ProcessEnv; readonly timeoutMs: number },
): Promise<TestRun> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--test-reporter=dot', path], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_TEST_CONTEXT: undefined,
      NODE_OPTIONS: `--import=${preload}`,
      ...env,
    },
  });
  const { pid } = child;
  if (pid !== undefined) running.add(pid);
  let output = '';
  const keep = (text: Buffer): void => {
    if (output.length < outputMax) output += text.toString();
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endGroup(pid);
  }, timeoutMs);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(timer);
  // A mutant may have left children behind.
  endGroup(pid);
  if (pid !== undefined) running.delete(pid);
  const ms = performance.now() - startedAt;
  const ending = isLate ? 'timeout' : code === 0 ? 'passed' : 'failed';
  return { ending, ms, output };
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
