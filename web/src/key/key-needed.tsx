import { CopyButton } from '../ui/copy-button.tsx';
import { apiKey, isKeyDialogOpen, keyRefusal } from './api-key.ts';
import { isOnThisMachine } from './keeping-choices.ts';

/** It works in a clone, and wherever the package is installed. */
const command = 'npx pizarra keys create --name yo';

/** Shown instead of data if there is no key or the service refused it. */
export function KeyNeeded() {
  const refusal = keyRefusal.value;
  const refused =
    apiKey.value === undefined ? 'La clave no es válida' : 'El servicio rechazó la clave';
  return (
    <section class="empty" aria-labelledby="key-needed-title">
      <h2 id="key-needed-title">{refusal === undefined ? 'Falta la clave de acceso' : refused}</h2>
      {refusal === undefined ? (
        <p>
          Para ver los precios se necesita una clave. El primer inicio del servicio muestra un
          enlace que incluye la primera.
        </p>
      ) : (
        <p role="alert">{refusal}</p>
      )}
      {isOnThisMachine ? (
        <div class="key-command">
          <p>Si se perdió, este comando crea otra, en la carpeta de Pizarra:</p>
          <code>{command}</code>
          <CopyButton text={() => command} />
        </div>
      ) : (
        refusal === undefined && <p>Las demás las da quien administra el servicio.</p>
      )}
      <button
        type="button"
        class="button button-primary"
        onClick={() => {
          isKeyDialogOpen.value = true;
        }}
      >
        {refusal === undefined ? 'Ingresar la clave' : 'Ingresar otra clave'}
      </button>
    </section>
  );
}
