import { readFileSync } from 'node:fs';
import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { once, until } from '../support/wait.ts';

/** One response, or a broken connection. */
export interface Answer {
  readonly status: number | 'broken';
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * Connections that stay open, each to the process that accepted it. The operating system distributes them
 * at random. With this number, the chance that one of two processes has none is 1 in 16 million.
 */
export class KeptConnections implements Disposable {
  static readonly count = 24;
  readonly #agents = Array.from(
    { length: KeptConnections.count },
    () => new Agent({ keepAlive: true, maxSockets: 1 }),
  );
  readonly #base: string;
  readonly #key: string;

  constructor(base: string, key: string) {
    this.#base = base;
    this.#key = key;
  }

  /** Sends a request on each connection at the same time. */
  ask(path: string): Promise<readonly Answer[]> {
    return Promise.all(this.#agents.map((agent) => this.#askOne(agent, path)));
  }

  /** Repeats the requests until every response is as expected. */
  async until(path: string, isExpected: (answer: Answer) => boolean): Promise<void> {
    await until(`every response to ${path} is as expected`, async () =>
      (await this.ask(path)).every(isExpected),
    );
  }

  async #askOne(agent: Agent, path: string): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.#key}` };
    try {
      const outgoing = request(`${this.#base}${path}`, { headers, agent }).end();
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
      const { statusCode = 0 } = response;
      return { status: statusCode, headers: response.headers, body: await text(response) };
    } catch {
      return { status: 'broken', headers: {}, body: '' };
    }
  }

  [Symbol.dispose](): void {
    for (const agent of this.#agents) agent.destroy();
  }
}

/** The running child processes of a process. */
export function childrenOf(pid: number | undefined): readonly number[] {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return listed.split(' ').filter(Boolean).map(Number);
}

/** Resolves when a process has ended. */
export async function gone(pid: number): Promise<void> {
  await until(`process ${pid} has ended`, () => !isAlive(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
