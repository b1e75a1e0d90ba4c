import type { Log } from '../../lib/reports/log.ts';
import type { AccessLine } from './access-line.ts';
import { RefusalLog } from './refusal-log.ts';

/** A method is any token, of any length. */
const loggedMethodLengthMax = 32;

/** Which responses are logged. */
export type AccessLog = 'all' | 'refused' | 'off';

/** Statuses from here on refuse something. */
const refusedStatusMin = 400;

/**
 * Logs one line for each response, or only for refusals (status 400 and above). The line names the key
 * by its id. It contains neither the key nor the query: people paste keys into URLs by mistake, and
 * logs are copied to many places.
 *
 * Refusals beyond a rate are summarised ({@link RefusalLog}). A line costs 4 µs and a system call.
 */
export class AccessLogWriter implements Disposable {
  readonly #log: Log;
  readonly #statusMin: number;
  readonly #refusals: RefusalLog;

  constructor(log: Log, which: AccessLog) {
    this.#log = log;
    this.#refusals = new RefusalLog(log);
    this.#statusMin = { all: 0, refused: refusedStatusMin, off: Number.POSITIVE_INFINITY }[which];
  }

  /** Whether responses with a status are logged. */
  logs(status: number): boolean {
    return status >= this.#statusMin;
  }

  write(line: AccessLine): void {
    if (line.status >= refusedStatusMin && !this.#refusals.admits(line)) return;
    const method = line.method.slice(0, loggedMethodLengthMax);
    this.#log.info({ ...line, method, ms: Math.round(line.ms * 1_000) / 1_000 }, 'answered');
  }

  /** Writes the pending summaries. */
  [Symbol.dispose](): void {
    this.#refusals[Symbol.dispose]();
  }
}
