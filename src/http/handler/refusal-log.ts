import { addressGroup } from '../../lib/network/address-group.ts';
import type { Log } from '../../lib/reports/log.ts';
import type { AccessLine } from './access-line.ts';

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
