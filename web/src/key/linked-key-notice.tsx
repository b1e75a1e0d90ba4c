import { apiKey, isLinked, takeKey } from './api-key.ts';

/** Asks whether to remember the key of a printed link. */
export function LinkedKeyNotice() {
  const key = apiKey.value;
  if (!isLinked.value || key === undefined) return null;
  const answer = (isToBeRemembered: boolean) => takeKey(key, { isToBeRemembered });
  return (
    <section class="notice linked-key" aria-label="Clave del enlace">
      <p>
        La clave del enlace está en uso y ya no figura en la dirección. Se pierde al recargar la
        página.
      </p>
      <button type="button" class="button button-small" onClick={() => answer(true)}>
        Recordarla en esta pestaña
      </button>
      <button type="button" class="button button-small" onClick={() => answer(false)}>
        Ahora no
      </button>
    </section>
  );
}
