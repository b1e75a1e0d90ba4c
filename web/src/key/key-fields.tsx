import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { Button } from '../ui/button.tsx';
import { Check } from '../ui/check.tsx';
import { Problem } from '../ui/problem.tsx';
import { apiKey, isKeyDialogOpen, keepingOf, keyRefusal, takeKey } from './api-key.ts';
import { keepingTexts, keepings } from './keeping-choices.ts';
import { canBeKey } from './key-form.ts';
import { forgetEverywhere } from './share-key.ts';

function close(): void {
  isKeyDialogOpen.value = false;
}

/** The form of the key. */
export function KeyFields() {
  const field = useRef<HTMLInputElement>(null);
  // The form is loaded after the dialog has opened, which therefore had no field to focus.
  useEffect(() => field.current?.focus(), []);
  const text = useSignal(apiKey.value ?? '');
  const isShown = useSignal(false);
  const keeping = useSignal(keepingOf());
  const isMalformed = useSignal(false);
  const submit = (event: Event) => {
    event.preventDefault();
    const key = text.value.trim();
    if (key === '') return;
    isMalformed.value = !canBeKey(key);
    if (isMalformed.value) return;
    takeKey(key, keeping.value);
    close();
  };
  return (
    <form class="stack gap-6" onSubmit={submit}>
      <Problem>{keyRefusal.value}</Problem>
      {isMalformed.value && (
        <Problem>
          Una clave no contiene espacios, acentos ni comillas. Copiar la clave completa, tal como la
          muestra el servicio. Empieza con <code>pz_</code>.
        </Problem>
      )}
      <label class="field stack gap-2">
        <span>Clave</span>
        <span class="row whole">
          <input
            ref={field}
            class="input mono"
            {...(isShown.value ? { type: 'text' } : { type: 'password' })}
            name="clave"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            placeholder="pz_…"
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value;
            }}
          />
          <Button aria-pressed={isShown.value} onClick={() => (isShown.value = !isShown.value)}>
            Mostrar
          </Button>
        </span>
      </label>
      <fieldset class="stack">
        <legend class="visually-hidden">Cuánto tiempo se recuerda</legend>
        {([...keepings, 'page'] as const).map((one) => (
          <Check
            key={one}
            name="recordar"
            checked={keeping.value === one}
            onCheck={() => (keeping.value = one)}
          >
            {keepingTexts[one].whole}
          </Check>
        ))}
      </fieldset>
      <p class="hint">
        Una pestaña nueva usa la clave de las abiertas. Si se recuerda, este navegador guarda
        también las especies de los paneles vistos, para mostrarlas sin conexión.
      </p>
      <p class="notice">
        Una clave no debe figurar en código que se ejecuta en el navegador de otras personas, porque
        cualquiera puede leerla.
      </p>
      <div class="dialog-actions row">
        {apiKey.value !== undefined && (
          <Button
            onClick={() => {
              forgetEverywhere();
              close();
            }}
          >
            Olvidar la clave
          </Button>
        )}
        <Button onClick={close}>Cancelar</Button>
        <Button type="submit" look="primary">
          Usar esta clave
        </Button>
      </div>
    </form>
  );
}
