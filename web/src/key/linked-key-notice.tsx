import { apiKey, isLinked, takeKey, type Keeping } from './api-key.ts';
import { keepings } from './keeping-choices.ts';

const texts: Readonly<Record<Exclude<Keeping, 'page'>, string>> = {
  device: 'Recordarla en este dispositivo',
  tab: 'Recordarla en esta pestaña',
};

/** Asks how long to keep the key of a printed link. */
export function LinkedKeyNotice() {
  const key = apiKey.value;
  if (!isLinked.value || key === undefined) return null;
  return (
    <section class="notice notice-line linked-key" aria-label="Clave del enlace">
      <p>La clave del enlace está en uso. Se pierde al recargar la página.</p>
      <span class="linked-key-choices">
        {keepings.map((keeping) => (
          <button
            key={keeping}
            type="button"
            class="button button-small"
            onClick={() => takeKey(key, keeping)}
          >
            {texts[keeping]}
          </button>
        ))}
        <button type="button" class="button button-small" onClick={() => takeKey(key, 'page')}>
          Ahora no
        </button>
      </span>
    </section>
  );
}
