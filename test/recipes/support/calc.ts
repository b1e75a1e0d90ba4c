import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { temporaryDirectory } from '../../support/program/program.ts';
import { once, processMsMax } from '../../support/wait.ts';
import { needs } from './run-tool.ts';

/** The Python of Debian, which has the module `uno`. */
const python = '/usr/bin/python3';

/** Maximum time of the start and of one request, in milliseconds. The machine may be busy. */
const requestMsMax = 900_000;

/** The resources of the Spanish interface, beside the program. */
const spanish =
  'test -e "$(dirname "$(readlink -f "$(command -v soffice)")")/resource/es/LC_MESSAGES/for.mo"';

/** The options of a test that needs a LibreOffice in Spanish that Python can drive. */
export const withCalc: { readonly skip?: string } =
  [
    needs(['soffice'], 'libreoffice-calc'),
    needs([python, '-c', 'import uno'], 'python3-uno'),
    needs(['sh', '-c', spanish], 'libreoffice-l10n-es'),
  ].find(({ skip }) => skip !== undefined) ?? {};

export interface Cell {
  /** As it is shown. */
  readonly text: string;
  /** The number of the error, for example 540 in `Err:540`; 0 without one. */
  readonly error: number;
  /** Null in a cell that has a text or an error. */
  readonly number: number | null;
  readonly isDate: boolean;
}

/** A LibreOffice Calc without a screen, in Spanish, with the locale of Argentina and a profile of its own. */
export interface Calc extends AsyncDisposable {
  /** The directory of the test, in which the profile is. It is removed with it. */
  readonly directory: string;
  /** Calls a function of `calc.py`. */
  ask<T = null>(name: string, args?: Readonly<Record<string, unknown>>): Promise<T>;
}

export async function startCalc(): Promise<Calc> {
  await using cleanUp = new AsyncDisposableStack();
  const { path } = cleanUp.use(await temporaryDirectory());
  const child = spawn(python, [join(import.meta.dirname, 'calc.py'), path], {
    // In a process group of its own, in which LibreOffice is too.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', HOME: path, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const log: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => log.push(chunk.toString()));
  child.stdin.on('error', () => undefined);
  const closed = once(child, 'close', { withinMs: processMsMax });
  cleanUp.defer(async () => {
    const kill = (): void => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    const tooLong = setTimeout(kill, requestMsMax);
    child.stdin.end();
    await closed;
    clearTimeout(tooLong);
  });
  const lines = createInterface({ input: child.stdout });
  const running = cleanUp.move();
  return {
    directory: path,
    ask: async <T>(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<T> => {
      const answered = once(lines, 'line', { withinMs: requestMsMax });
      child.stdin.write(`${JSON.stringify({ do: name, ...args })}\n`);
      const ended = closed.then(() => {
        throw new Error(`LibreOffice ended: ${log.join('')}`);
      });
      const [line] = (await Promise.race([answered, ended])) as [string];
      return (JSON.parse(line) as { readonly result: T }).result;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
