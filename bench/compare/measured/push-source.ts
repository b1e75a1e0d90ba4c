import { setTimeout as sleep } from 'node:timers/promises';

import { HttpConnection } from '../../support/http-connection.ts';
import type { PushedBodies } from '../../support/pushed-bodies.ts';

/**
 * Pushes updates, many at once. The bodies are written in advance, because writing them during a measurement would
 * delay the requests of this process.
 */
export class PushSource implements Disposable {
  readonly perSecond: number;
  readonly #updates: number;
  readonly #bodies: PushedBodies;
  /** The one that was used last comes first, so that those that the service closes as idle are not used. */
  readonly #idle: HttpConnection[] = [];

  constructor(
    pushes: { readonly updates: number; readonly perSecond: number },
    bodies: PushedBodies,
  ) {
    this.perSecond = pushes.perSecond;
    this.#updates = pushes.updates;
    this.#bodies = bodies;
  }

  /** Pushes one body after another. */
  async warmUp(pushes: number): Promise<void> {
    for (let push = 0; push < pushes; push += 1) {
      await this.push(this.#bodies.next(this.#updates));
    }
  }

  /** The bodies of some seconds, in order. */
  prepare(seconds: number): readonly string[] {
    return Array.from({ length: this.perSecond * seconds }, (_, push) =>
      this.#bodies.next(this.#updates, Date.now() + (push * 1_000) / this.perSecond),
    );
  }

  /** Pushes a body. Resolves when its updates are durable and visible. */
  async push(body: string): Promise<void> {
    const connection = this.#idle.pop() ?? (await HttpConnection.open(this.#bodies.port));
    const { promise, resolve } = Promise.withResolvers<number>();
    connection.exchange(body, resolve);
    const status = await promise;
    if (status !== 200) throw new Error(`a push got ${status}`);
    this.#idle.push(connection);
  }

  /** Pushes at the rate for some seconds. */
  async pushFor(seconds: number): Promise<void> {
    const bodies = this.prepare(seconds);
    const begun = performance.now();
    const pushes: Promise<void>[] = [];
    for (const [push, body] of bodies.entries()) {
      await sleep(Math.max(0, begun + (push * 1_000) / this.perSecond - performance.now()));
      pushes.push(this.push(body));
    }
    await Promise.all(pushes);
  }

  [Symbol.dispose](): void {
    for (const connection of this.#idle) connection[Symbol.dispose]();
  }
}
