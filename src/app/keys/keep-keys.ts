import { KeyRing } from '../../auth/key-ring.ts';
import type { Log } from '../../lib/log.ts';
import { repeat } from '../../lib/repeat.ts';
import type { KeyStore } from '../../store/key-store.ts';

/** How often the store is asked whether a key was made or revoked: it takes microseconds. */
const keyPollMs = 100;

/**
 * How often the last uses of keys are written: the first use of each key in an hour, all in one
 * transaction, by the thread that writes.
 */
const useFlushMs = 30_000;

/** Keys in memory that are never far behind the store, whoever changes it. */
export interface KeptKeys extends AsyncDisposable {
  readonly ring: KeyRing;
  /** Reads the keys now, if they changed, instead of at the next poll. */
  catchUp(): Promise<void>;
}

/**
 * Reads the keys, and keeps a ring in step with them until disposed. What the ring notes of the uses
 * of keys goes to the store, the last of it when this is disposed.
 */
export async function keepKeys(
  keys: Pick<KeyStore, 'revision' | 'readAll' | 'noteUses'>,
  log: Log,
): Promise<KeptKeys> {
  const ring = new KeyRing();
  let held = -1;
  const catchUp = async (): Promise<void> => {
    if ((await keys.revision()) === held) return;
    const { revision, keys: records } = await keys.readAll();
    ring.replace(records);
    held = revision;
  };
  await catchUp();
  const onFault = (fault: unknown): void => log.error({ err: fault }, 'keys cannot be followed');
  const flushUses = async (): Promise<void> => {
    const uses = ring.uses.take();
    if (uses.length === 0) return;
    await keys.noteUses(uses).catch((fault: unknown) => {
      ring.uses.giveBack(uses);
      log.error({ err: fault }, 'the last uses of keys cannot be written');
    });
  };
  const following = repeat(catchUp, { pauseMs: keyPollMs, onFault });
  const flushing = repeat(flushUses, { pauseMs: useFlushMs, onFault });
  return {
    ring,
    catchUp,
    [Symbol.asyncDispose]: async () => {
      await following[Symbol.asyncDispose]();
      await flushing[Symbol.asyncDispose]();
      await flushUses();
    },
  };
}
