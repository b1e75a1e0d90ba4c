import type { Log } from '../lib/log.ts';

/** Something that went wrong on our side while a request was answered. */
export interface RequestFailure {
  readonly error: unknown;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly keyId: string | undefined;
}

/** Writes it to the log; the client learns only that something went wrong. */
export function logFailure(log: Log, { error, ...request }: RequestFailure): void {
  log.error({ err: error, ...request }, 'a request failed');
}
