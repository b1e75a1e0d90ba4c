import { isTemporary, type PizarraError } from './errors.ts';
import { sleep, wakeable, type Wait } from './time/wait.ts';

/** How often, how long and after what the client tries again. */
export interface RetryOptions {
  /** Maximum number of attempts of a request, the first one included. Default: 3. With 1, it never retries. */
  readonly attemptsMax?: number;
  /**
   * Maximum wait before one further attempt, in milliseconds. Default: 30,000. If the service asks for a
   * longer wait (`Retry-After`), the error is thrown at once, unless the number of attempts has no limit.
   */
  readonly waitMsMax?: number;
  /**
   * Whether the same request may succeed later. By default after a timeout, a broken connection, and the
   * statuses 408, 429, 502, 503 and 504.
   */
  readonly isTemporary?: (error: PizarraError) => boolean;
  /** Is called before each wait for a further attempt of a request. A stream calls `onState`. */
  readonly onRetry?: (error: PizarraError) => void;
}

/** The options of a client. */
export interface ClientOptions {
  /** The address of the service with its base path, such as `https://quotes.example/v5`. */
  readonly url: string | URL;
  /** The API key, or a function that gives the current one: it is called for each request. */
  readonly key: string | (() => string | Promise<string>);
  /** Maximum time of one attempt, until the whole body is read, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
  /**
   * Maximum size of the responses that are kept to answer a 304, in characters. The least recently used
   * response is dropped. Default: 16 Mi. With 0, no response is kept.
   */
  readonly cacheCharactersMax?: number;
  /** Replaces `fetch`, for example to go through a proxy. */
  readonly fetch?: typeof fetch;
  /** Replaces the timer of the waits between attempts. It rejects with the reason of the signal when that aborts. */
  readonly wait?: Wait;
  /**
   * Its event `wake` says that the service may be reachable now, because the network is back or the machine
   * has woken: it ends the waits between attempts, and drops a stream without a byte for one heartbeat.
   */
  readonly wake?: EventTarget;
}

/** The options of one request. */
export interface RequestOptions {
  /** Aborts the request, its waits included. The promise is then rejected with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces that of the client. */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
  /** Replaces that of the client, for example to send a header of your own, or to read one of the response. */
  readonly fetch?: typeof fetch;
}

/** The options of a client with their defaults. */
export interface Connection {
  readonly base: string;
  readonly key: () => string | Promise<string>;
  readonly timeoutMs: number;
  readonly retry: Required<RetryOptions>;
  readonly fetch: typeof fetch;
  readonly wait: Wait;
  readonly wake: EventTarget | undefined;
}

const thisMachine = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

const defaultRetry: Required<RetryOptions> = {
  attemptsMax: 3,
  waitMsMax: 30_000,
  isTemporary,
  onRetry: () => {},
};

/**
 * Completes the options of a client.
 *
 * @throws TypeError when the address is not an HTTP address, or when plain HTTP would take the key to another machine.
 */
export function connectionOf(options: ClientOptions): Connection {
  const url = new URL(options.url);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new TypeError(`The url must begin with https:// or http://, not ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('The url must not contain credentials. Pass the key as "key".');
  }
  if (url.protocol === 'http:' && !thisMachine.test(url.hostname)) {
    throw new TypeError('Plain HTTP would expose the key on the network. Use https://.');
  }
  return connectionTo(url, options);
}

/** Completes the options, for an address that is known to be right: that of the page of a browser. */
export function connectionTo(url: URL, options: Omit<ClientOptions, 'url'>): Connection {
  const { key, wake } = options;
  return {
    base: url.origin + url.pathname.replace(/\/+$/, ''),
    key: typeof key === 'function' ? key : () => key,
    timeoutMs: options.timeoutMs ?? 30_000,
    retry: { ...defaultRetry, ...options.retry },
    // Browsers refuse to run `fetch` as a method of another object.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    wait: wakeable(options.wait ?? sleep, wake),
    wake,
  };
}

/** Replaces the options that a request has of its own. */
export function withRequestOptions(
  connection: Connection,
  { timeoutMs, retry, fetch: send }: RequestOptions,
): Connection {
  return {
    ...connection,
    timeoutMs: timeoutMs ?? connection.timeoutMs,
    retry: { ...connection.retry, ...retry },
    fetch: send ?? connection.fetch,
  };
}
