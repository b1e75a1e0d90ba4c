import { Button } from '../ui/button.tsx';
import { apiKey, isLinked, takeKey } from './api-key.ts';
import { keepingTexts, keepings } from './keeping-choices.ts';

/** Asks how long to keep the key of a printed link. */
export function LinkedKeyNotice() {
  const key = apiKey.value;
  if (!isLinked.value || key === undefined) return null;
  return (
    <section class="notice row between screen-only" aria-label="Clave del enlace">
      <p>La clave del enlace está en uso. Se pierde al recargar la página.</p>
      <span class="row gap-3">
        {keepings.map((keeping, at) => (
          // A small screen shows prices below the notice: the first choice is enough. The dialog has all.
          <Button
            key={keeping}
            look="small"
            class={at > 0 ? 'wide-only' : undefined}
            onClick={() => takeKey(key, keeping)}
          >
            {keepingTexts[keeping].offer}
          </Button>
        ))}
        <Button look="small" onClick={() => (isLinked.value = false)}>
          {keepingTexts.page.offer}
        </Button>
      </span>
    </section>
  );
}
