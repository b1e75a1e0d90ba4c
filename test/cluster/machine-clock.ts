import { existsSync, globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';

/** Where Debian's package `faketime` has its library, for any architecture. */
const libraries = '/usr/lib/*/faketime/libfaketimeMT.so.1';

/** The reason why the clock of a node cannot be set apart from that of this machine; false if it can. */
export function lacksFaketime(): string | false {
  return library() === undefined
    ? 'libfaketime is not installed (on Debian: apt-get install faketime)'
    : false;
}

function library(): string | undefined {
  return globSync(libraries).find((file) => existsSync(file));
}

/**
 * The wall clock of one machine, as all its programs see it through the C library. Its monotonic clock is not
 * affected, as with a clock that an operator or a time server sets.
 */
export class MachineClock {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /** @param file a path that no other clock uses. */
  static async make(file: string): Promise<MachineClock> {
    const clock = new MachineClock(file);
    await clock.set(0);
    return clock;
  }

  /** The environment of the programs of this machine. Empty if libfaketime is not installed. */
  get environment(): NodeJS.ProcessEnv {
    const preloaded = library();
    if (preloaded === undefined) return {};
    return {
      LD_PRELOAD: preloaded,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      // The library reads the file again after this time, in seconds.
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }

  /** Sets the clock to this many seconds ahead of the clock of this machine. */
  async set(aheadSeconds: number): Promise<void> {
    await writeFile(this.#file, `${aheadSeconds < 0 ? '' : '+'}${aheadSeconds}\n`);
  }
}
