import { OperatorFault } from '../../lib/reports/operator-fault.ts';
import { trustingFetch } from '../../lib/network/trusting-fetch.ts';
import type { Pause } from '../../lib/time/pause.ts';

/** Maximum time for a response, in milliseconds. */
const answerWithinMs = 60_000;

/** Maximum size of a body, in bytes. 100,000 instruments with all fields have less. */
const bodyBytesMax = 128 * 1024 * 1024;

/** Maximum size of the body of a refusal, in bytes. A longer one is not that of a Pizarra. */
const refusalBytesMax = 65_536;

/** The longest part of the text of a refusal that is shown, in characters. */
const saidCharsMax = 200;

/** Maximum number of attempts of a request that the service limits. */
const attemptsMax = 5;

/** The command does not wait longer for the limit of a key, in seconds. */
const waitSecondsMax = 300;

/** The pause where the service does not say how long to wait, in seconds. */
const usualWaitSeconds = 5;

/** A response: its body, or the text of an error 400 or 404, which an older service may send. */
export interface OriginResponse {
  readonly status: 200 | 400 | 404;
  readonly text: string;
  /** Whether the prices of the service are made up. */
  readonly isDemonstration: boolean;
}

/** The collaborators of a client, which tests replace. */
export interface OriginDeps {
  readonly pause: Pause;
  readonly signal: AbortSignal;
  /** Receives how long the command waits for the limit of its key, in seconds. */
  readonly onWait: (seconds: number) => void;
}

/** Reads the public listener of another Pizarra for a command. Its faults say what to do. */
export class OriginClient {
  readonly #base: string;
  readonly #key: string;
  readonly #fetch: typeof fetch;
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
    this.#base = url.replace(/\/+$/, '');
    this.#key = key;
    this.#fetch = ca === undefined ? fetch : trustingFetch(ca);
    this.#deps = deps;
  }

  /** Where the service is, for a message. */
  get address(): string {
    return this.#base;
  }

  /**
   * Requests a path. A response 429 or 503 is waited for as the service asks.
   *
   * @throws OperatorFault for any other status than 200, 400 and 404, and without a response.
   */
  async get(path: string): Promise<OriginResponse> {
    for (let attempts = 1; ; attempts += 1) {
      const response = await this.#send(path);
      const { status } = response;
      if (status === 200 || status === 400 || status === 404) {
        const isDemonstration = response.headers.get('data-source') === 'simulated';
        const text = await this.#textOf(response, bodyBytesMax);
        return { status, text, isDemonstration };
      }
      if (status !== 429 && status !== 503) throw await this.#refusal(response);
      const seconds = secondsOf(response.headers.get('retry-after')) ?? usualWaitSeconds;
      if (attempts >= attemptsMax || seconds > waitSecondsMax) throw await this.#refusal(response);
      await response.body?.cancel();
      this.#deps.onWait(seconds);
      await this.#deps.pause(seconds * 1_000, this.#deps.signal);
    }
  }

  /** What is wrong if a body is not that of a Pizarra. */
  notPizarra(path: string): OperatorFault {
    return new OperatorFault(
      `${this.#base}${path} does not answer as a Pizarra does. Check the address: it is that of the public listener, base path included.`,
    );
  }

  async #send(path: string): Promise<Response> {
    const { signal } = this.#deps;
    try {
      return await this.#fetch(`${this.#base}${path}`, {
        headers: { authorization: `Bearer ${this.#key}`, 'user-agent': 'Pizarra' },
        // The key must not follow a redirect to another server.
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
      });
    } catch (fault) {
      signal.throwIfAborted();
      throw this.#unreachable(fault);
    }
  }

  async #textOf(response: Response, bytesMax: number): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    let bytes = 0;
    try {
      for await (const chunk of response.body ?? []) {
        bytes += chunk.byteLength;
        if (bytes > bytesMax) {
          throw new OperatorFault(`A response of ${this.#base} has more than ${bytesMax} bytes.`);
        }
        text += decoder.decode(chunk, { stream: true });
      }
    } catch (fault) {
      this.#deps.signal.throwIfAborted();
      throw fault instanceof OperatorFault ? fault : this.#unreachable(fault);
    }
    return text + decoder.decode();
  }

  async #refusal(response: Response): Promise<OperatorFault> {
    const { status, headers } = response;
    const body = await this.#textOf(response, refusalBytesMax).catch(() => '');
    // The server may repeat what it received, the key included.
    const said = errorIn(body).replaceAll(this.#key, '[secret]').slice(0, saidCharsMax);
    const cause = said === '' ? '' : ` It says: ${said}`;
    const after = secondsOf(headers.get('retry-after'));
    switch (status) {
      case 401:
        return new OperatorFault(
          `${this.#base} does not accept the key.${cause} Create one there with "pizarra keys create --name mirror", and set PIZARRA_KEY or --key-file.`,
        );
      case 403:
        return new OperatorFault(
          `${this.#base} refuses the request (403).${cause} Use its https:// address; plain HTTP is accepted only from its own machine and its proxies.`,
        );
      case 429:
        return new OperatorFault(
          `${this.#base} limits the requests of the key (429).${cause} ${after === undefined ? 'Run the command again later' : `Run the command again in ${after} s`}, or use a key with a larger plan.`,
        );
      default:
        return new OperatorFault(
          status >= 300 && status < 400
            ? `${this.#base} redirects to another address (${status}). Use that address.`
            : `${this.#base} responded ${status}.${cause} Run the command again later.`,
        );
    }
  }

  #unreachable(fault: unknown): OperatorFault {
    const { code, text } = reasonOf(fault);
    const advice = certificateCodes.test(code)
      ? 'Name the file of its authority with --ca'
      : 'Check that the service runs, and the address';
    return new OperatorFault(`${this.#base} cannot be read: ${text}. ${advice}.`, { cause: fault });
  }
}

/** The codes with which Node refuses a certificate whose authority it does not know. */
const certificateCodes = /CERT|SELF_SIGNED|ISSUER|UNABLE_TO_VERIFY/;

function errorIn(body: string): string {
  try {
    const { error } = JSON.parse(body) as { readonly error?: unknown };
    return typeof error === 'string' ? error : '';
  } catch {
    return '';
  }
}

/** `Retry-After` in seconds (RFC 9110 section 10.2.3). */
function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}

/** `fetch` hides the reason, such as ECONNREFUSED, in the cause of its error. */
function reasonOf(fault: unknown): { readonly code: string; readonly text: string } {
  if (!(fault instanceof Error)) return { code: '', text: String(fault) };
  if (fault.name === 'TimeoutError') {
    return { code: '', text: `it did not respond within ${answerWithinMs / 1_000} s` };
  }
  const cause = fault.cause instanceof Error ? fault.cause : fault;
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  return { code, text: [code, cause.message].filter((one) => one !== '').join(' ') };
}
