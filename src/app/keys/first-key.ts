import type { Log } from '../../lib/log.ts';
import type { KeyStore } from '../../store/key-store.ts';
import { serviceActor } from './key-actor.ts';
import { addKey } from './keys.ts';
import type { NewKey } from './keys.ts';

/**
 * Creates a key in an installation that never had one, not even a revoked one. Called when the
 * listeners are open, so no key is stored by a start that fails. The key is durable and accepted by
 * all processes when this resolves; then the caller shows it.
 *
 * A process that is killed between the two leaves a key that nobody has seen, as does output that was
 * lost. It cannot be told from one that was shown and is not used yet, so it is not replaced: every
 * later start logs what to do, until some key is used.
 *
 * @param options.canShow whether the caller can show a key; without, none is created.
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
    log.warn({}, 'there is no API key: create one with "pizarra keys create --name NAME"');
    return undefined;
  }
  if (existing.length > 1 || first.lastUsedAt !== undefined) return undefined;
  const [lastChange] = await keys.readEvents({ max: 1, keyId: first.id });
  if (lastChange?.who === serviceActor) {
    log.warn(
      { keyId: first.id },
      'the first API key was never used: if nobody has it, create another with "pizarra keys create --name NAME"',
    );
  }
  return undefined;
}

async function addFirstKey(keys: KeyStore, untilAccepted: () => Promise<void>): Promise<NewKey> {
  const key = await addKey(keys, { name: 'first', scope: 'read' }, serviceActor);
  await untilAccepted();
  return key;
}
