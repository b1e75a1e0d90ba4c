import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { once, processMsMax } from '../support/wait.ts';

/** A TypeScript program in a separate process. Its input and output are lines. */
export interface LineProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly lines: Interface;
  /** Resolves with the exit code or the signal, when the process has ended and its output was read. */
  readonly ended: Promise<number | string>;
}

/** Starts a program. */
export function startLineProcess(program: URL, args: readonly string[]): LineProcess {
  const child = spawn(process.execPath, [program.pathname, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const closed = once(lines, 'close', { withinMs: processMsMax });
  const ended = once(child, 'exit', { withinMs: processMsMax }).then(async ([code, signal]) => {
    await closed;
    return (code ?? signal) as number | string;
  });
  return { child, lines, ended };
}
