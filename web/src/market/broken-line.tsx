import { reconnectNow } from './api/reconnection.ts';
import { connection, silentSince } from './connection.ts';
import { formatClock } from './format/buenos-aires.ts';

/** While the service is silent, says that the prices on screen are not current, and since when. */
export function BrokenLine() {
  const state = connection.value;
  if (state?.kind === 'refused') {
    return (
      <p class="notice notice-bad" role="alert">
        <strong>{state.status}.</strong> {state.message}
      </p>
    );
  }
  const since = silentSince.value;
  if (since === undefined && state?.kind !== 'waiting') return null;
  return (
    <div class="notice notice-bad notice-line">
      <p role="alert">
        {since === undefined
          ? 'El servicio no responde.'
          : `Se cortó la conexión con el servicio. Los precios en pantalla son los de las ${formatClock(since)}.`}{' '}
        La reconexión es automática.
      </p>
      <button type="button" class="button button-small" onClick={reconnectNow}>
        Reconectar ahora
      </button>
    </div>
  );
}
