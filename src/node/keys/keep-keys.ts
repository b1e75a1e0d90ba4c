import { KeyRing } from '../../auth/key-ring.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { isPowerOfTwo } from '../../lib/numbers/is-power-of-two.ts';
import { repeat } from '../../lib/time/repeat.ts';
import { SerialQueue } from '../../lib/time/serial-queue.ts';
import type { StoreHints } from '../../store/contract/store.ts';
import type { KeyStore } from '../../store/contract/key-store.ts';

/**
 * How often the store is polled for changes of the keys, in milliseconds. A poll takes microseconds. A hint
 * of the store makes the next poll follow at once.
 */
const keyPollMs = 100;

/**
 * How often the last uses of keys are stored, in milliseconds. Only the first use of each key in an
 * hour is stored. The writer thread stores all of them in one transaction.
 */
const useFlushMs = 30_000;

/** Keys in memory that follow the store, whichever process changes it. */
export interface KeptKeys extends AsyncDisposable {
  readonly ring: KeyRing;
  /** Reads the keys now, even if none seems changed: the hint of a change by another connection takes a moment. */
  catchUp(): Promise<void>;
}

/**
 * Reads the keys into a ring, and updates the ring until disposed. The uses of keys that the ring notes
 * are stored periodically, and once more when this is disposed.
 *
 * While the store cannot be read, the keys of the last read are valid, for a limited time.
 */
export async function keepKeys(
  keys: Pick<KeyStore, 'revision' | 'readAll' | 'noteUses'>,
  {
    hints,
    log,
    clock,
    staleMaxMs,
  }: {
    readonly hints: StoreHints;
    readonly log: Log;
    readonly clock: Pick<Clock, 'monotonic'>;
    /** The keys are valid for this long after the store last confirmed them, in milliseconds. */
    readonly staleMaxMs: number;
  },
): Promise<KeptKeys> {
  const ring = new KeyRing();
  let currentRevision = -1;
  let confirmedAt = clock.monotonic();
  const readChanged = async (): Promise<void> => {
    if ((await keys.revision()) !== currentRevision) await readAll();
  };
  const readAll = async (): Promise<void> => {
    const { revision, keys: records } = await keys.readAll();
    ring.replace(records);
    currentRevision = revision;
  };
  // One read after the other: an earlier one that ends later would bring back keys that were revoked meanwhile.
  const queue = new SerialQueue();
  const confirmBy = async (read: () => Promise<void>): Promise<void> => {
    const askedAt = clock.monotonic();
    try {
      await read();
      confirmedAt = askedAt;
    } finally {
      ring.isUnconfirmed = clock.monotonic() - confirmedAt > staleMaxMs;
    }
  };
  const catchUp = (): Promise<void> => queue.run(() => confirmBy(readAll));
  const poll = (): Promise<void> => queue.run(() => confirmBy(readChanged));
  await catchUp();
  const onFault = (fault: unknown): void =>
    log.error({ err: fault }, 'could not read changes of the keys, retrying');
  let useFailures = 0;
  const flushUses = async (): Promise<void> => {
    const uses = ring.uses.take();
    if (uses.length === 0) return;
    try {
      await keys.noteUses(uses);
      useFailures = 0;
    } catch (fault) {
      ring.uses.giveBack(uses);
      useFailures += 1;
      // A node whose user may only read can never store them.
      const details = { err: fault, failures: useFailures };
      if (isPowerOfTwo(useFailures)) {
        log.error(details, 'could not store the last uses of keys, retrying');
      }
    }
  };
  const following = repeat(poll, { pauseMs: keyPollMs, onFault });
  const hinted = hints.subscribe((what) => {
    if (what === 'keys') following.wake();
  });
  const flushing = repeat(flushUses, { pauseMs: useFlushMs, onFault });
  return {
    ring,
    catchUp,
    [Symbol.asyncDispose]: async () => {
      hinted[Symbol.dispose]();
      await following[Symbol.asyncDispose]();
      await flushing[Symbol.asyncDispose]();
      await flushUses();
    },
  };
}
