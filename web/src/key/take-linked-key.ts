import { apiKey, keyRefusal, refuseKey, takeLinkedKey } from './api-key.ts';
import { canBeKey, keyInFragment } from './key-form.ts';

/**
 * Takes the key from the address of a printed link. It removes the key from the address bar and
 * from the history of the tab. It runs before anything is rendered or requested.
 *
 * The key is only in memory, unless the user chooses to remember it.
 */
export function readLinkedKey(): void {
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
  takeLinkedKey(key);
}
