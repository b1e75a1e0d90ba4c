import { addressGroup } from '../../lib/network/address-group.ts';
import type { Log } from '../../lib/reports/log.ts';

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

/** What is logged of a response. */
export interface AccessLine {
  readonly keyId: string | undefined;
  readonly remote: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  /** From the request's arrival until the client has taken the response, in milliseconds. */
  readonly ms: number;
}

/** Limits of the lines about refused requests. */
interface RefusalLogLimits {
  /** Maximum number of lines for one client and status within `windowMs`. Further ones are counted. */
  readonly linesMax: number;
  readonly windowMs: number;
  /** Maximum number of clients and statuses with lines of their own. Further ones share their lines. */
  readonly clientsMax: number;
}

const defaultLimits: RefusalLogLimits = { linesMax: 20, windowMs: 60_000, clientsMax: 1_000 };

/** The refusals to one client with one status within the window. */
interface Refused {
  readonly client: Pick<AccessLine, 'keyId' | 'remote' | 'status'> | undefined;
  lines: number;
  unlogged: number;
}

/**
 * The lines about refused requests. A client is a key, or an address without a key. The first lines of a
 * client within a minute are written. The rest is summarised in one line at the end of the minute, so
 * that no client can fill a disk or hide what others do.
 */
export class RefusalLog implements Disposable {
  readonly #log: Log;
  readonly #limits: RefusalLogLimits;
  readonly #refused = new Map<string, Refused>();
  #others: Refused = { client: undefined, lines: 0, unlogged: 0 };
  #window: NodeJS.Timeout | undefined;

  constructor(log: Log, limits: Partial<RefusalLogLimits> = {}) {
    this.#log = log;
    this.#limits = { ...defaultLimits, ...limits };
  }

  /** Whether a refusal gets a line of its own. If not, it is counted. */
  admits(line: AccessLine): boolean {
    this.#window ??= setTimeout(() => this.#endWindow(), this.#limits.windowMs).unref();
    const refused = this.#of(line);
    if (refused.lines < this.#limits.linesMax) {
      refused.lines += 1;
      return true;
    }
    refused.unlogged += 1;
    return false;
  }

  #of({ keyId, remote, status }: AccessLine): Refused {
    const name = `${status} ${keyId ?? addressGroup(remote)}`;
    const known = this.#refused.get(name);
    if (known !== undefined) return known;
    if (this.#refused.size >= this.#limits.clientsMax) return this.#others;
    const refused = { client: { keyId, remote, status }, lines: 0, unlogged: 0 };
    this.#refused.set(name, refused);
    return refused;
  }

  #endWindow(): void {
    this.#window = undefined;
    for (const { client, unlogged } of [...this.#refused.values(), this.#others]) {
      if (unlogged === 0) continue;
      this.#log.info({ ...client, requests: unlogged }, 'further requests refused');
    }
    this.#refused.clear();
    this.#others = { client: undefined, lines: 0, unlogged: 0 };
  }

  /** Writes the summaries of the current window. */
  [Symbol.dispose](): void {
    clearTimeout(this.#window);
    this.#endWindow();
  }
}
