import { HttpConnection, requestText } from '../../support/http-connection.ts';
import { seededRandom } from '../../support/random.ts';
import type { Server } from './checkout.ts';
import type { PushSource } from './push-source.ts';

const targets = ['especie=GGAL', 'panel=LID', 'panel=CED'];
const connectionsMax = 64;

/**
 * Requests quotes at a steady average rate, and measures the time of each response from when its request was
 * due. The requests are a Poisson process, as those of many clients.
 */
export class QuoteClient {
  readonly #service: Server;
  readonly #perSecond: number;
  readonly #random = seededRandom(28);
  readonly #times: number[] = [];
  /** Used in turn, as those of many clients are: the service closes one that is idle for 5 s. */
  readonly #idle: HttpConnection[] = [];

  constructor(service: Server, perSecond: number) {
    this.#service = service;
    this.#perSecond = perSecond;
  }

  /**
   * Requests for some seconds, and returns the times in milliseconds.
   *
   * @param source pushes meanwhile. This process does, because another one on the same core would
   *   take the core for milliseconds, which would be measured as the service's.
   */
  async run(seconds: number, source: PushSource): Promise<readonly number[]> {
    const { url, key } = this.#service;
    const headers = { authorization: `Bearer ${key}` };
    const requests = targets.map((target) =>
      requestText('GET', new URL(`${url}/cotizaciones?${target}`), headers),
    );
    const opened = Array.from({ length: connectionsMax }, () =>
      HttpConnection.open(Number(new URL(url).port)),
    );
    const connections = await Promise.all(opened);
    this.#idle.push(...connections);
    const bodies = source.prepare(seconds);
    const pushes: Promise<void>[] = [];
    const count = this.#perSecond * seconds;
    const { promise: allAnswered, resolve: end } = Promise.withResolvers<void>();
    const begun = performance.now() + 50;
    let nextDue = begun;
    let sent = 0;
    // Polls the clock, because timers have a resolution of a millisecond.
    const spin = (): void => {
      const now = performance.now();
      const body = bodies[pushes.length];
      const isDue = now >= begun + (pushes.length * 1_000) / source.perSecond;
      if (body !== undefined && isDue) pushes.push(source.push(body));
      for (; sent < count && now >= nextDue; sent += 1) {
        const connection = this.#idle.shift();
        if (connection === undefined) break;
        this.#send(connection, requests[sent % requests.length] ?? '', nextDue, () => {
          if (this.#times.length === count) end();
        });
        nextDue += (-Math.log(1 - this.#random()) * 1_000) / this.#perSecond;
      }
      if (sent < count) setImmediate(spin);
    };
    spin();
    await allAnswered;
    await Promise.all(pushes);
    for (const connection of connections) connection[Symbol.dispose]();
    return this.#times;
  }

  #send(connection: HttpConnection, request: string, due: number, answered: () => void): void {
    connection.exchange(request, (status) => {
      if (status !== 200) throw new Error(`a request got ${status}`);
      this.#times.push(performance.now() - due);
      this.#idle.push(connection);
      answered();
    });
  }
}
