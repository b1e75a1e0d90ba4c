import {
  PizarraClient,
  PizarraConnectionError,
  PizarraHttpError,
  PizarraTimeoutError,
  type RequestOptions,
  type Result,
} from '../../../clients/typescript/src/index.ts';
import { boundedResponse } from '../../lib/network/bounded-response.ts';
import { failureReason } from '../../lib/network/failure-reason.ts';
import { trustingFetch } from '../../lib/network/trusting-fetch.ts';
import { OperatorFault } from '../../lib/reports/operator-fault.ts';
import type { Pause } from '../../lib/time/pause.ts';

/** Maximum time for a response, in milliseconds. */
const answerWithinMs = 60_000;

/** Maximum size of a body, in bytes. 100,000 instruments with all fields have less. */
const bodyBytesMax = 128 * 1024 * 1024;

/** The longest part of the text of a refusal that is shown, in characters. */
const saidCharsMax = 200;

/** Maximum number of attempts of a request that the service limits. */
const attemptsMax = 5;

/** The command does not wait longer for the limit of a key, in seconds. */
const waitSecondsMax = 300;

/** The pause where the service does not say how long to wait, in seconds. */
const usualWaitSeconds = 5;

/** The collaborators of an origin, which tests replace. */
export interface OriginDeps {
  readonly pause: Pause;
  readonly signal: AbortSignal;
  /** Receives how long the command waits for the limit of its key, in seconds. */
  readonly onWait: (seconds: number) => void;
}

/** Another Pizarra, which a command reads. Its faults say what to do. */
export class OriginReader {
  /** Where the service is, for a message. */
  readonly address: string;
  readonly #key: string;
  readonly #client: PizarraClient;
  readonly #deps: OriginDeps;

  /**
   * @param options.url the root of the public listener, base path included.
   * @param options.ca certificates of authorities that are trusted too. In PEM.
   */
  constructor(
    {
      url,
      key,
      ca,
    }: { readonly url: string; readonly key: string; readonly ca: string | undefined },
    deps: OriginDeps,
  ) {
    this.address = url.replace(/\/+$/, '');
    this.#key = key;
    this.#deps = deps;
    const send = ca === undefined ? fetch : trustingFetch(ca);
    this.#client = new PizarraClient({
      url,
      key,
      timeoutMs: answerWithinMs,
      // The operator is told how long a command waits.
      retry: { attemptsMax: 1 },
      cacheCharactersMax: 0,
      // A redirect is not followed, because the key would go with it. Its status is reported.
      fetch: async (input, init) =>
        boundedResponse(await send(input, { ...init, redirect: 'manual' }), {
          bytesMax: bodyBytesMax,
          tooLong: () => new Error(`a response has more than ${bodyBytesMax} bytes`),
        }),
    });
  }

  /**
   * Requests a path. A response 429 or 503 is waited for as the service asks.
   *
   * @throws OperatorFault without the data that a Pizarra has there.
   */
  async read<T>(
    path: string,
    request: (client: PizarraClient, options: RequestOptions) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const { pause, signal, onWait } = this.#deps;
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await request(this.#client, { signal });
      } catch (error) {
        signal.throwIfAborted();
        const seconds = secondsToWait(error);
        if (attempts >= attemptsMax || seconds > waitSecondsMax) throw this.#faultOf(error, path);
        onWait(seconds);
        await pause(seconds * 1_000, signal);
      }
    }
  }

  /** What is wrong if a body is not that of a Pizarra. */
  notPizarra(path: string): OperatorFault {
    return new OperatorFault(
      `${this.address}${path} does not answer as a Pizarra does. Check the address: it is that of the public listener, base path included.`,
    );
  }

  #faultOf(error: unknown, path: string): OperatorFault {
    if (error instanceof PizarraHttpError) return this.#refusal(error, path);
    if (!(error instanceof PizarraConnectionError)) return this.notPizarra(path);
    const { code = '', text } =
      error instanceof PizarraTimeoutError
        ? { text: `it did not respond within ${answerWithinMs / 1_000} s` }
        : failureReason(error);
    const advice = certificateCodes.test(code)
      ? 'Name the file of its authority with --ca'
      : 'Check that the service runs, and the address';
    return new OperatorFault(`${this.address} cannot be read: ${text}. ${advice}.`, {
      cause: error,
    });
  }

  #refusal({ status, text, retryAfter }: PizarraHttpError, path: string): OperatorFault {
    // The server may repeat what it received, the key included.
    const said = text.replaceAll(this.#key, '[secret]').slice(0, saidCharsMax);
    const cause = said === '' ? '' : ` It says: ${said}`;
    if (status === 400 || status === 404) return this.notPizarra(path);
    const [problem, todo] = refusals[status] ?? otherRefusal(status);
    const when = retryAfter === undefined ? 'later' : `in ${retryAfter} s`;
    return new OperatorFault(`${this.address} ${problem}${cause} ${todo.replace('WHEN', when)}`);
  }
}

/** What is wrong, and what to do about it, by the status of a response. */
const refusals: Readonly<Record<number, readonly [problem: string, todo: string]>> = {
  401: [
    'does not accept the key.',
    'Create one there with "pizarra keys create --name mirror", and set PIZARRA_KEY or --key-file.',
  ],
  403: [
    'refuses the request (403).',
    'Use its https:// address; plain HTTP is accepted only from its own machine and its proxies.',
  ],
  429: [
    'limits the requests of the key (429).',
    'Run the command again WHEN, or use a key with a larger plan.',
  ],
};

function otherRefusal(status: number): readonly [problem: string, todo: string] {
  return status >= 300 && status < 400
    ? [`redirects to another address (${status}).`, 'Use that address.']
    : [`responded ${status}.`, 'Run the command again later.'];
}

/** The codes with which Node refuses a certificate whose authority it does not know. */
const certificateCodes = /CERT|SELF_SIGNED|ISSUER|UNABLE_TO_VERIFY/;

/** Infinity for an error that does not pass with time. */
function secondsToWait(error: unknown): number {
  const isLimited = error instanceof PizarraHttpError && [429, 503].includes(error.status);
  return isLimited ? (error.retryAfter ?? usualWaitSeconds) : Infinity;
}
