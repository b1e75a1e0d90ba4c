import { changeUnitOf, instruments } from '../market/instruments.ts';
import { formatRoute, instrumentRoute } from '../places/route.ts';
import { CloseIcon, EditIcon, PauseIcon, PlayIcon } from '../ui/icons.tsx';
import type { Alert } from './alert.ts';
import { conditionText, crossingText, stateName, waitText } from './alert-texts.ts';
import { alerts, pauseAlert, removeAlert, resumeAlert, sights } from './stored-alerts.ts';
import { watchState, type WatchState } from './watch-alerts.ts';

const watchTexts: Readonly<Record<WatchState, string>> = {
  idle: 'Sin vigilancia',
  watching: 'Esta pestaña vigila las alertas.',
  disconnected: 'Sin conexión con el servicio: las alertas esperan la reconexión.',
  elsewhere: 'Otra pestaña de este navegador vigila las alertas.',
};

/** The alerts of this browser with the state of each. */
export function AlertList({ onEdit }: { readonly onEdit: (id: string) => void }) {
  if (alerts.value.length === 0) return <p class="muted">Todavía no hay alertas.</p>;
  return (
    <section aria-labelledby="alert-list">
      <h2 id="alert-list">Alertas de este navegador</h2>
      <p class="hint" role="status">
        {watchTexts[watchState.value]}
      </p>
      <ul class="choice-list alert-list" aria-labelledby="alert-list">
        {alerts.value.map((alert) => (
          <AlertLine key={alert.id} alert={alert} onEdit={onEdit} />
        ))}
      </ul>
    </section>
  );
}

function AlertLine({
  alert,
  onEdit,
}: {
  readonly alert: Alert;
  readonly onEdit: (id: string) => void;
}) {
  const { id, ticker, kind, isPaused } = alert;
  const unit = changeUnitOf(instruments.value.get(ticker));
  const seen = sights.value[id];
  const condition = conditionText(alert, unit);
  const last =
    seen?.crossed === undefined ? '' : `Último aviso: ${crossingText(kind, seen.crossed, unit)}.`;
  return (
    <li>
      <span>
        <a href={formatRoute(instrumentRoute(ticker))}>{condition}</a>
        <br />
        <span class="hint">
          <strong>{stateName(alert, seen)}.</strong>{' '}
          {[waitText(alert, seen), last].filter((part) => part !== '').join(' ')}
        </span>
      </span>
      <span class="choice-moves">
        <button
          type="button"
          class="icon-button"
          aria-label={`${isPaused === true ? 'Reanudar' : 'Pausar'} la alerta: ${condition}`}
          onClick={() => (isPaused === true ? resumeAlert(id) : pauseAlert(id))}
        >
          {isPaused === true ? <PlayIcon /> : <PauseIcon />}
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={`Cambiar la alerta: ${condition}`}
          onClick={() => onEdit(id)}
        >
          <EditIcon />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={`Eliminar la alerta: ${condition}`}
          onClick={() => removeAlert(id)}
        >
          <CloseIcon />
        </button>
      </span>
    </li>
  );
}
