import { setTimeout as sleep } from 'node:timers/promises';

const clients = 3;
const requestPauseMs = 5;
const requestMsMax = 10_000;

/** The requests that were sent, and those that failed. */
export interface Sent {
  readonly requests: number;
  readonly failed: readonly string[];
}

/** Clients that send requests until they are stopped. */
export class BalancedClients {
  readonly #stopping = new AbortController();
  readonly #running: Promise<unknown>;
  #requests = 0;
  #failed: string[] = [];

  /** @param nextUrl where the next request is sent to. */
  constructor(nextUrl: () => string, key: string) {
    const { signal } = this.#stopping;
    const client = async (): Promise<void> => {
      while (!signal.aborted) {
        const failure = await failureOf(nextUrl(), key);
        this.#requests += 1;
        if (failure !== undefined) this.#failed.push(failure);
        await sleep(requestPauseMs);
      }
    };
    this.#running = Promise.all(Array.from({ length: clients }, client));
  }

  /** What was sent since the last call. */
  take(): Sent {
    const sent = { requests: this.#requests, failed: this.#failed };
    this.#requests = 0;
    this.#failed = [];
    return sent;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }
}

/** Why a request failed. Undefined if it got its quotes. */
async function failureOf(url: string, key: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/cotizaciones?panel=LID`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(requestMsMax),
    });
    const body = await response.text();
    return response.status === 200 ? undefined : `${response.status}: ${body}`;
  } catch (fault) {
    return `no response: ${String(fault)}`;
  }
}
