import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

import { WebSocket } from 'ws';

import { deferred, once, within } from '../../support/wait.ts';

/** The path of Debian's Firefox. The variable `FIREFOX` sets another one. */
const executablePath = process.env['FIREFOX'] ?? '/usr/bin/firefox-esr';

/** Why the tests in Firefox cannot run; undefined when they can. */
export const noFirefox: string | undefined = existsSync(executablePath)
  ? undefined
  : `there is no Firefox at ${executablePath} (Debian: apt-get install firefox-esr)`;

/** Settings of the profile: nothing is fetched or shown that the test does not ask for. */
const settings = {
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
};

/** A tab of Firefox. */
export interface FirefoxTab extends AsyncDisposable {
  /** Sets the size of the page, in CSS pixels. */
  resize(width: number, height: number): Promise<void>;
  /** Goes to an address, and waits until the page is loaded. */
  goto(url: string): Promise<void>;
  /** The value of an expression in the page, which may be a promise. It must be JSON. */
  evaluate<T>(expression: string): Promise<T>;
  /** Waits until an expression is true in the page. It is tried in every frame. */
  waitFor(expression: string): Promise<void>;
  /** Presses keys one after the other (`key` of WebDriver). */
  press(...keys: readonly string[]): Promise<void>;
}

/**
 * Starts Firefox without a window. Playwright drives only its own build of Firefox, or a newer one
 * than that of Debian, so this speaks WebDriver BiDi with Firefox itself.
 */
export async function startFirefox(): Promise<FirefoxTab> {
  await using cleanUp = new AsyncDisposableStack();
  const profile = await mkdtemp(join(tmpdir(), 'pizarra-firefox-'));
  cleanUp.defer(() => rm(profile, { recursive: true, force: true }));
  const lines = Object.entries(settings).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  await writeFile(join(profile, 'user.js'), lines.join(''));
  const child = spawn(
    executablePath,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  cleanUp.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const address = await within('the address of Firefox', addressOf(child.stderr));
  const session = new BidiSession(new WebSocket(`${address}/session`));
  cleanUp.use(session);
  await session.open();
  const tab = await openTab(session);
  const running = cleanUp.move();
  return { ...tab, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** The address that Firefox prints when it listens. */
async function addressOf(stderr: Readable): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
    if (address === undefined) continue;
    stderr.resume();
    return address;
  }
  throw new Error('Firefox ended before it listened');
}

async function openTab(
  session: BidiSession,
): Promise<Omit<FirefoxTab, typeof Symbol.asyncDispose>> {
  await session.send('session.new', { capabilities: {} });
  const tree = await session.send<{ contexts: readonly [{ context: string }] }>(
    'browsingContext.getTree',
    {},
  );
  const { context } = tree.contexts[0];
  const evaluate = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = await session.send<{
      readonly result?: { readonly value?: string };
      readonly exceptionDetails?: { readonly text: string };
    }>('script.evaluate', {
      expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`,
      target: { context },
      awaitPromise: true,
    });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
    return JSON.parse(result?.value ?? 'null') as T;
  };
  return {
    evaluate,
    resize: async (width, height) => {
      await session.send('browsingContext.setViewport', { context, viewport: { width, height } });
    },
    goto: async (url) => {
      await session.send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    waitFor: async (expression) => {
      const isMet = await evaluate<boolean>(`new Promise((done) => {
        const end = performance.now() + 20000;
        const look = () => {
          if (${expression}) done(true);
          else if (performance.now() > end) done(false);
          else requestAnimationFrame(look);
        };
        look();
      })`);
      if (!isMet) throw new Error(`not met within 20 s: ${expression}`);
    },
    press: async (...keys) => {
      const actions = keys.flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
      await session.send('input.performActions', {
        context,
        actions: [{ type: 'key', id: 'keyboard', actions }],
      });
    },
  };
}

/** A session of WebDriver BiDi: commands and their results by number. Events are ignored. */
class BidiSession implements Disposable {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #count = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#receive(data.toString()));
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Firefox has ended'));
    });
  }

  async open(): Promise<void> {
    await once(this.#socket, 'open');
  }

  async send<T>(method: string, params: object): Promise<T> {
    this.#count += 1;
    const waiting = deferred<unknown>();
    this.#waiting.set(this.#count, waiting);
    this.#socket.send(JSON.stringify({ id: this.#count, method, params }));
    return (await waiting.promise) as T;
  }

  [Symbol.dispose](): void {
    this.#socket.terminate();
  }

  #receive(text: string): void {
    const { id, type, result, message } = JSON.parse(text) as {
      readonly id?: number;
      readonly type: string;
      readonly result?: unknown;
      readonly message?: string;
    };
    const waiting = this.#waiting.get(id ?? -1);
    if (id === undefined || waiting === undefined) return;
    this.#waiting.delete(id);
    if (type === 'success') waiting.resolve(result);
    else waiting.reject(new Error(message ?? text));
  }
}
