import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { once, until } from '../support/wait.ts';

/** One answer, or that the connection broke. */
export interface Answer {
  readonly status: number | 'broken';
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * Connections that stay open, each to whichever process took it. The system spreads them by chance:
 * with so many, that one of two processes has none happens once in 16 million times.
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

  /** Asks once over each, at the same time. */
  ask(path: string): Promise<readonly Answer[]> {
    return Promise.all(this.#agents.map((agent) => this.#askOne(agent, path)));
  }

  /** Asks again and again until every answer is as expected. */
  async until(path: string, isExpected: (answer: Answer) => boolean): Promise<void> {
    await until(`every answer to ${path} is as expected`, async () =>
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

/** The processes that a process has started and that live. */
export function childrenOf(pid: number | undefined): readonly number[] {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return listed.split(' ').filter(Boolean).map(Number);
}

/** Resolves when a process is no more. */
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
