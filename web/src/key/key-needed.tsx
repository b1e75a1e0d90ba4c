import { Button } from '../ui/button.tsx';
import { CopiedCommand } from '../ui/copy-button.tsx';
import { apiKey, isKeyDialogOpen, keyRefusal } from './api-key.ts';
import { isOnThisMachine } from './keeping-choices.ts';

/** Shown instead of data if there is no key or the service refused it. */
export function KeyNeeded() {
  const refusal = keyRefusal.value;
  const refused =
    apiKey.value === undefined ? 'La clave no es válida' : 'El servicio rechazó la clave';
  return (
    <section class="empty view column gap-5" aria-labelledby="key-needed-title">
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
        <>
          <p>Si se perdió, este comando crea otra, en la carpeta de Pizarra:</p>
          <CopiedCommand text="npx pizarra keys create --name yo" />
        </>
      ) : (
        refusal === undefined && <p>Las demás las da quien administra el servicio.</p>
      )}
      <Button look="primary" onClick={() => (isKeyDialogOpen.value = true)}>
        {refusal === undefined ? 'Ingresar la clave' : 'Ingresar otra clave'}
      </Button>
    </section>
  );
}
