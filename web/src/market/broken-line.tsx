import { connection } from './live-quotes.ts';

/** While the connection is broken, says that the prices on screen are not current. */
export function BrokenLine() {
  const state = connection.value;
  if (state?.kind === 'waiting') {
    return (
      <p class="notice notice-bad" role="alert">
        Se cortó la conexión con el servicio. Los precios en pantalla son los últimos recibidos. La
        reconexión es automática.
      </p>
    );
  }
  if (state?.kind === 'refused') {
    return (
      <p class="notice notice-bad" role="alert">
        <strong>{state.status}.</strong> {state.message}
      </p>
    );
  }
  return null;
}
