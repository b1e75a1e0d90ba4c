import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../lib/log.ts';

/** What a running service says of itself to programs on the same machine. Holds no secret. */
export interface RunningService {
  /** Its id, which both listeners show in `/healthz`. */
  readonly instance: string;
  readonly pid: number;
  readonly version: string;
  /** Where the public listener really listens, base path included. */
  readonly url: string;
  readonly privateUrl: string;
  /** The file of the certificate that it serves; empty without TLS. */
  readonly tlsCert: string;
}

/**
 * The file in which a service that has claimed a data directory says where it listens. It is replaced
 * in one step, and removed at the end. A service that was killed leaves it behind: a reader believes
 * it only while the directory is claimed and the instance answers.
 */
export class ServiceRecord implements Disposable {
  readonly #path: string;
  readonly #log: Log;

  constructor(directory: string, log: Log) {
    this.#path = pathIn(directory);
    this.#log = log;
    this.#remove();
  }

  /** Writes it. The service is usable without: a failure is logged. */
  write(service: RunningService): void {
    const unfinished = `${this.#path}.unfinished`;
    try {
      writeFileSync(unfinished, `${JSON.stringify(service)}\n`, { mode: 0o600 });
      renameSync(unfinished, this.#path);
    } catch (fault) {
      const path = this.#path;
      this.#log.warn({ err: fault, path }, 'cannot write where the service listens');
    }
  }

  [Symbol.dispose](): void {
    this.#remove();
  }

  /** A file that cannot be removed does no harm: its instance no longer answers. */
  #remove(): void {
    try {
      rmSync(this.#path, { force: true });
    } catch {
      // The store reports a disk that refuses.
    }
  }
}

/** What was last written in a data directory; undefined when there is nothing that can be read. */
export function readServiceRecord(directory: string): RunningService | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(pathIn(directory), 'utf8'));
    return isRunningService(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRunningService(value: unknown): value is RunningService {
  if (typeof value !== 'object' || value === null) return false;
  const { instance, pid, version, url, privateUrl, tlsCert } = value as Record<string, unknown>;
  const texts = [instance, version, url, privateUrl, tlsCert];
  return (
    typeof pid === 'number' &&
    texts.every((text) => typeof text === 'string') &&
    [url, privateUrl].every((one) => URL.canParse(String(one)))
  );
}

function pathIn(directory: string): string {
  return join(directory, 'serve.json');
}
