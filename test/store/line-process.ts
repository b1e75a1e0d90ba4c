import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { once, processMsMax } from '../support/wait.ts';

/** A TypeScript program in a process of its own that talks in lines. */
export interface LineProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly lines: Interface;
  /** Resolves when it has ended and all it said has been read: exit code, or the signal. */
  readonly ended: Promise<number | string>;
}

/** Starts a program that lies beside this file. */
export function startLineProcess(program: string, args: readonly string[]): LineProcess {
  const file = new URL(program, import.meta.url).pathname;
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const closed = once(lines, 'close', { withinMs: processMsMax });
  const ended = once(child, 'exit', { withinMs: processMsMax }).then(async ([code, signal]) => {
    await closed;
    return (code ?? signal) as number | string;
  });
  return { child, lines, ended };
}
