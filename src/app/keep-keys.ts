import { KeyRing } from '../auth/key-ring.ts';
import type { Log } from '../lib/log.ts';
import { repeat } from '../lib/repeat.ts';
import type { KeyStore } from '../store/key-store.ts';
import { serviceActor } from './key-actor.ts';
import { addKey } from './keys.ts';
import type { NewKey } from './keys.ts';

/** How often the store is asked whether a key was made or revoked. */
const keyPollMs = 500;

/** An installation without any key, not even a revoked one, is new: it gets one to begin with. */
export async function makeFirstKey(keys: KeyStore): Promise<NewKey | undefined> {
  const made = await keys.readAll();
  return made.keys.length > 0
    ? undefined
    : addKey(keys, { name: 'first', scope: 'read' }, serviceActor);
}

/** Keys in memory that are never far behind the store, whoever changes it. */
export interface KeptKeys extends AsyncDisposable {
  readonly ring: KeyRing;
}

/** Reads the keys, and keeps a ring in step with them until disposed. */
export async function keepKeys(keys: KeyStore, log: Log): Promise<KeptKeys> {
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
  const following = repeat(catchUp, { pauseMs: keyPollMs, onFault });
  return { ring, [Symbol.asyncDispose]: () => following[Symbol.asyncDispose]() };
}
