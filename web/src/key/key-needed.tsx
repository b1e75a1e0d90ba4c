import { isKeyDialogOpen, keyRefusal } from './api-key.ts';

/** Stands where there would be data, when there is no key or the service refused it. */
export function KeyNeeded() {
  const refusal = keyRefusal.value;
  return (
    <section class="empty" aria-labelledby="key-needed-title">
      <h2 id="key-needed-title">
        {refusal === undefined ? 'Falta la clave de acceso' : 'El servicio rechazó la clave'}
      </h2>
      {refusal === undefined ? (
        <p>
          Los precios son para quien tiene una clave. La primera se muestra una sola vez al iniciar
          el servicio; las demás se crean con <code>pizarra keys create</code>.
        </p>
      ) : (
        <p role="alert">
          <strong>401.</strong> {refusal}
        </p>
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
