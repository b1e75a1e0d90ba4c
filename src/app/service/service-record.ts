import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../lib/log.ts';

/** What a running service publishes for programs on the same machine. It contains no secret. */
export interface RunningService {
  /** The id of the instance, which both listeners show in `/healthz`. */
  readonly instance: string;
  readonly pid: number;
  readonly version: string;
  /** URL of the public listener with its actual port, base path included. */
  readonly url: string;
  readonly privateUrl: string;
  /** The file of the served certificate. Empty without TLS. */
  readonly tlsCert: string;
}

/**
 * The file `serve.json` of a data directory, in which the running service publishes its addresses. It
 * is replaced atomically, and removed when the service stops. A killed service leaves it behind, so a
 * reader must check that the directory is claimed and that this instance responds.
 */
export class ServiceRecord implements Disposable {
  readonly #path: string;
  readonly #log: Log;

  constructor(directory: string, log: Log) {
    this.#path = pathIn(directory);
    this.#log = log;
    this.#remove();
  }

  /** Writes the file. A failure is only logged, because the service works without the file. */
  write(service: RunningService): void {
    const unfinished = `${this.#path}.unfinished`;
    try {
      writeFileSync(unfinished, `${JSON.stringify(service)}\n`, { mode: 0o600 });
      renameSync(unfinished, this.#path);
    } catch (fault) {
      const path = this.#path;
      this.#log.warn({ err: fault, path }, 'could not write serve.json');
    }
  }

  [Symbol.dispose](): void {
    this.#remove();
  }

  /** A file that cannot be removed is harmless, because its instance no longer responds. */
  #remove(): void {
    try {
      rmSync(this.#path, { force: true });
    } catch {
      // The store reports a failing disk.
    }
  }
}

/** Reads the file of a data directory. Gives undefined when it does not exist or is not valid. */
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
