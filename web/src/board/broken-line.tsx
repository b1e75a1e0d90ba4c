import { connection } from '../market/live-quotes.ts';

/** Says, while the line is broken, that what is on screen is no longer the present. */
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
