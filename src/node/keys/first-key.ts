import { randomBytes } from 'node:crypto';

import { issueKey } from '../../auth/issue-key.ts';
import type { KeyEvent } from '../../domain/access/key-change.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import type { KeyStore } from '../../store/contract/key-store.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { serviceActor, type NewKey } from './keys.ts';

/**
 * Creates a key in an installation that never had a key, not even a revoked one. It is called when the
 * listeners are open, so a start that fails stores no key. When the promise resolves, the key is durable
 * and all processes accept it. Then the caller shows it.
 *
 * If the process is killed before the key is shown, or the output is lost, nobody knows the key. The
 * service cannot distinguish this key from one that was shown but is not used yet, so it does not
 * replace it. Every later start logs what to do, until a key is used.
 *
 * @param options.canShow whether the caller can show a key. Otherwise no key is created.
 * @param options.untilAccepted resolves when all processes accept a key that was just stored.
 */
export async function makeFirstKey(
  keys: KeyStore,
  {
    canShow,
    untilAccepted,
    log,
  }: {
    readonly canShow: boolean;
    readonly untilAccepted: () => Promise<void>;
    readonly log: Log;
  },
): Promise<NewKey | undefined> {
  const { keys: existing } = await keys.readAll();
  const [first] = existing;
  if (first === undefined) {
    if (canShow) return addFirstKey(keys, untilAccepted);
    log.warn({}, 'no API key exists: create one with "pizarra keys create --name NAME"');
    return undefined;
  }
  if (existing.length > 1 || first.lastUsedAt !== undefined) return undefined;
  const [lastChange] = await keys.readEvents({ max: 1, keyId: first.id });
  if (lastChange?.who === serviceActor) {
    log.warn(
      { keyId: first.id },
      'the first API key was never used: if it is lost, create another with "pizarra keys create --name NAME"',
    );
  }
  return undefined;
}

/** Returns undefined if another node has just created the first key. That node shows it. */
async function addFirstKey(
  keys: KeyStore,
  untilAccepted: () => Promise<void>,
): Promise<NewKey | undefined> {
  const { key, record } = issueKey(
    { name: 'first', scope: 'read' },
    { now: systemClock.now(), randomBytes },
  );
  const { id, name, createdAt } = record;
  const event: KeyEvent = {
    keyId: id,
    what: 'create',
    detail: name,
    who: serviceActor,
    at: createdAt,
  };
  try {
    await keys.restore({ keys: [record], events: [event] });
  } catch (fault) {
    if (fault instanceof StoreFault && fault.code === 'conflict') return undefined;
    throw fault;
  }
  await untilAccepted();
  return { id, key };
}
