import { Deadline } from './time/deadline.ts';
import {
  PizarraConnectionError,
  PizarraError,
  PizarraHttpError,
  PizarraTimeoutError,
} from './errors.ts';
import type { Connection } from './options.ts';
import { refusalOf } from './refusal.ts';
import { waitBefore } from './time/wait.ts';

/** A response whose body was read. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** A request for a path with its query. */
export interface Call {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends a request and reads its response, and again after a temporary failure. Every request is a GET, so
 * sending it again changes nothing.
 *
 * @throws PizarraHttpError for any status but 200 and 304.
 * @throws PizarraConnectionError when no attempt got a response.
 */
export async function exchange<T>(
  connection: Connection,
  call: Call,
  read: (reply: Reply) => T,
): Promise<T> {
  const { attemptsMax, waitMsMax, onRetry } = connection.retry;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return read(await tryOnce(connection, call));
    } catch (error) {
      if (!mayPass(connection, error) || attempt >= attemptsMax) throw error;
      const retryAfter = retryAfterOf(error);
      const isTooLong = retryAfter !== undefined && retryAfter * 1_000 > waitMsMax;
      if (isTooLong && attemptsMax !== Number.POSITIVE_INFINITY) throw error;
      onRetry(error);
      await connection.wait(waitBefore(attempt, { retryAfter, waitMsMax }), call.signal);
    }
  }
}

/** Whether an error is a failure of the service after which the same request may succeed. */
export function mayPass({ retry }: Connection, error: unknown): error is PizarraError {
  return error instanceof PizarraError && retry.isTemporary(error);
}

/** When to try again, in seconds. Undefined if the service does not say when. */
export function retryAfterOf(error: unknown): number | undefined {
  return error instanceof PizarraHttpError ? error.retryAfter : undefined;
}

async function tryOnce(connection: Connection, call: Call): Promise<Reply> {
  const deadline = new Deadline(call.signal);
  deadline.start(connection.timeoutMs);
  try {
    const response = await open(connection, call, deadline);
    const body = await connected(call, deadline, () => response.text());
    return { status: response.status, headers: response.headers, body };
  } finally {
    deadline.end();
  }
}

/**
 * Sends a request once, and returns the response before its body.
 *
 * @throws as {@link exchange} does.
 */
export async function open(
  connection: Connection,
  call: Call,
  deadline: Deadline,
): Promise<Response> {
  const { signal } = deadline;
  const { url, headers } = call;
  const response = await connected(call, deadline, () =>
    // A redirect would carry the key to an address that nobody configured.
    connection.fetch(url, { headers, signal, redirect: 'error' }),
  );
  if (response.status === 200 || response.status === 304) return response;
  throw await connected(call, deadline, () => refusalOf(response, url));
}

/** Waits for a step of a request, and gives its failure a type. */
export async function connected<T>(
  { url, signal }: Call,
  deadline: Deadline,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason;
    if (deadline.hasPassed) {
      throw new PizarraTimeoutError(`No response in time from ${url}`, { cause });
    }
    throw new PizarraConnectionError(`Cannot reach ${url}: ${reasonOf(cause)}`, { cause });
  }
}

/** Node's `fetch` has the reason in the cause of its error. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { readonly message?: unknown; readonly cause?: unknown };
  if (cause instanceof Error && cause.message !== '') return cause.message;
  return typeof message === 'string' ? message : String(error);
}
