import { apiKey, isKeyDialogOpen, keyRefusal } from './api-key.ts';

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
          enlace que incluye la primera. Las demás se crean con <code>pizarra keys create</code>.
        </p>
      ) : (
        <p role="alert">{refusal}</p>
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
