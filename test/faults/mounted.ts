import { execFile } from 'node:child_process';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';

/** A mounted file system. Disposing it unmounts it. */
export interface Mounted extends AsyncDisposable {
  readonly path: string;
}

/**
 * Mounts a file system in memory over a directory. `kib` is its size in KiB.
 *
 * @throws NotPermitted
 */
export async function mountSmall(path: string, kib: number): Promise<Mounted> {
  await run('mount', ['-t', 'tmpfs', '-o', `size=${kib}k,mode=700`, 'tmpfs', path]);
  return mounted(path);
}

/**
 * Makes a directory read-only for every user. File modes do not apply to root, so a mount is used.
 *
 * @throws NotPermitted
 */
export async function mountReadOnly(path: string): Promise<Mounted> {
  await run('mount', ['--bind', path, path]);
  try {
    await run('mount', ['-o', 'remount,bind,ro', path]);
  } catch (error) {
    await run('umount', [path]);
    throw error;
  }
  return mounted(path);
}

/** A separate disk that can break. */
export interface BreakableDisk extends Mounted {
  /** Makes the file system turn itself read-only, as after an error of its disk. */
  breakDown(): Promise<void>;
  /** Unmounts the file system and mounts it again, as after a repair. */
  mend(): Promise<void>;
}

/**
 * Mounts an ext4 file system over a directory. A file contains its data.
 *
 * @throws NotPermitted
 */
export async function mountBreakable(
  path: string,
  { image, mib }: { readonly image: string; readonly mib: number },
): Promise<BreakableDisk> {
  await run('truncate', ['-s', `${mib}M`, image]);
  await run('mkfs.ext4', ['-q', '-F', image]);
  const mount = (): Promise<void> => run('mount', ['-o', 'loop,errors=remount-ro', image, path]);
  await mount();
  return {
    ...mounted(path),
    breakDown: async () => {
      await run('sync', []);
      await run('mount', ['-o', 'remount,abort', path]);
      // The file system notices the error at the next write.
      await run('touch', [`${path}/touched`]).catch(() => undefined);
    },
    mend: async () => {
      await run('umount', [path]);
      await mount();
    },
  };
}

/** The test needs an operation that the user or the machine does not permit. */
export class NotPermitted extends Error {
  constructor(cause: unknown) {
    super(`not permitted on this machine: ${cause instanceof Error ? cause.message : ''}`, {
      cause,
    });
    this.name = 'NotPermitted';
  }
}

/** When the attempt is not permitted, skips the test with the reason and returns undefined. */
export async function orSkip<T>(t: TestContext, attempt: Promise<T>): Promise<T | undefined> {
  try {
    return await attempt;
  } catch (error) {
    if (!(error instanceof NotPermitted)) throw error;
    t.skip(error.message);
    return undefined;
  }
}

async function run(command: string, args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(command, args);
  } catch (cause) {
    throw new NotPermitted(cause);
  }
}

function mounted(path: string): Mounted {
  return { path, [Symbol.asyncDispose]: () => run('umount', [path]) };
}
