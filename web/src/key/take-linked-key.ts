import { apiKey, isLinked, keyRefusal, refuseKey, takeKey } from './api-key.ts';
import { canBeKey, keyInFragment } from './key-form.ts';

/**
 * Takes the key out of the address, when a printed link brought one, and removes it from the address
 * bar and from this tab's history. It runs before anything is rendered or requested.
 *
 * The key stays in memory until the user asks for it to be remembered.
 */
export function takeLinkedKey(): void {
  const key = keyInFragment(location.hash)?.trim();
  if (key === undefined) return;
  history.replaceState(null, '', `${location.pathname}${location.search}#/`);
  if (!canBeKey(key)) {
    refuseKey(
      'El enlace no trae una clave válida. Copiar el enlace completo de la terminal o ingresar la clave.',
    );
    return;
  }
  if (key === apiKey.value && keyRefusal.value === undefined) return;
  takeKey(key, { isToBeRemembered: false });
  isLinked.value = true;
}
