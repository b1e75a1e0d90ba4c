import { reconnectNow } from './api/reconnection.ts';
import { connection, silentSince } from './connection.ts';
import { formatClock, formatMoment } from './format/buenos-aires.ts';
import { wasReached } from './seen/reach.ts';

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
      <p role="alert">{textOf(since)} La reconexión es automática.</p>
      <button type="button" class="button button-small" onClick={reconnectNow}>
        Reconectar ahora
      </button>
    </div>
  );
}

function textOf(since: number | undefined): string {
  if (since === undefined) return 'El servicio no responde.';
  if (!wasReached.value) return `Sin conexión: datos de ${formatMoment(since, Date.now())}.`;
  return `Se cortó la conexión con el servicio. Los precios en pantalla son los de las ${formatClock(since)}.`;
}
