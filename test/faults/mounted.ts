import { execFile } from 'node:child_process';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';

/** A mount that a test made. Disposing it unmounts. */
export interface Mounted extends AsyncDisposable {
  readonly path: string;
}

/**
 * Mounts a file system in memory of so many KiB over a directory.
 *
 * @throws NotPermitted
 */
export async function mountSmall(path: string, kib: number): Promise<Mounted> {
  await run('mount', ['-t', 'tmpfs', '-o', `size=${kib}k,mode=700`, 'tmpfs', path]);
  return mounted(path);
}

/**
 * Makes a directory one that nothing can be written to, whoever writes: the rights of files say
 * nothing to the super-user.
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

/** A disk of its own that can break. */
export interface BreakableDisk extends Mounted {
  /** Makes it turn itself read-only, as a file system does after an error of the disk below it. */
  breakDown(): Promise<void>;
  /** Takes it away and brings it back, as after a repair. */
  mend(): Promise<void>;
}

/**
 * Mounts an ext4 file system of so many MiB, kept in a file, over a directory.
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
      // Whoever writes next makes it notice.
      await run('touch', [`${path}/touched`]).catch(() => undefined);
    },
    mend: async () => {
      await run('umount', [path]);
      await mount();
    },
  };
}

/** What a test needs of the machine and this user may not have. */
export class NotPermitted extends Error {
  constructor(cause: unknown) {
    super(`this user or machine may not: ${cause instanceof Error ? cause.message : ''}`, {
      cause,
    });
    this.name = 'NotPermitted';
  }
}

/** Skips a test, and says why, where it needs what is not permitted; gives undefined then. */
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
