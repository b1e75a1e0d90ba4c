import { authorization, serviceUrl } from '../market/api/early.ts';
import type { OperationEntry } from './openapi.ts';

/** A response, with everything that the page shows of it. */
export type Answer = {
  /** The same in all reports of one request. */
  readonly id: object;
} & (
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly statusText: string;
      readonly headers: readonly (readonly [string, string])[];
      readonly body: string;
      readonly bytes: number;
      /** The time to the whole body; of a stream, the time to its headers. */
      readonly ms: number;
      /** Whether the stream is still open. Absent for another body. */
      readonly isOpen?: boolean;
      /** Whether the body is only the end of a long stream. */
      readonly isCut?: boolean;
    }
  | { readonly kind: 'unreachable' }
);

/** The exact URL of a request: the non-empty values, in the order of the contract. */
export function requestUrl(
  { path, parameters }: Pick<OperationEntry, 'path' | 'parameters'>,
  values: Readonly<Record<string, string>>,
): string {
  const pairs = parameters.flatMap(({ parameter: { name } }) => {
    const value = values[name] ?? '';
    return value === '' ? [] : [`${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`];
  });
  return serviceUrl(path) + (pairs.length === 0 ? '' : `?${pairs.join('&')}`);
}

/** Maximum number of characters of a stream that are shown. Older ones are removed. */
const streamedCharactersMax = 20_000;

/**
 * Sends a request without checking it, and reports the response: once, or for a stream with each part that
 * arrives, until it ends or the signal aborts.
 */
export async function send(
  url: string,
  {
    key,
    isStream,
    signal,
    report,
  }: {
    readonly key: string | undefined;
    readonly isStream: boolean;
    readonly signal: AbortSignal;
    readonly report: (answer: Answer) => void;
  },
): Promise<void> {
  const started = performance.now();
  const id = {};
  let latest: Extract<Answer, { readonly kind: 'answered' }> | undefined;
  try {
    const response = await fetch(url, { headers: authorization(key), cache: 'no-store', signal });
    const whole = isStream ? '' : await response.text();
    latest = {
      id,
      kind: 'answered',
      status: response.status,
      statusText: response.statusText,
      headers: [...response.headers],
      body: whole,
      bytes: new TextEncoder().encode(whole).length,
      ms: performance.now() - started,
      ...(isStream && { isOpen: true }),
    };
    report(latest);
    for await (const part of isStream && response.body !== null ? textOf(response.body) : []) {
      const body: string = latest.body + part;
      latest = {
        ...latest,
        body: body.slice(-streamedCharactersMax),
        bytes: latest.bytes + new TextEncoder().encode(part).length,
        isCut: latest.isCut === true || body.length > streamedCharactersMax,
      };
      report(latest);
    }
  } catch {
    if (latest === undefined && !signal.aborted) report({ id, kind: 'unreachable' });
  }
  if (isStream && latest !== undefined) report({ ...latest, isOpen: false });
}

/**
 * The text of a body as it arrives. It uses a reader, because Safari cannot iterate over a
 * `ReadableStream`.
 */
async function* textOf(
  body: NonNullable<Response['body']>,
): AsyncGenerator<string, void, undefined> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // A connection that broke cannot be cancelled.
    await reader.cancel().catch(() => undefined);
  }
}
