import { instruments } from '../market/instruments.ts';
import { formatRoute, instrumentRoute } from '../places/route.ts';
import { Button } from '../ui/button.tsx';
import { CloseIcon, EditIcon, PauseIcon, PlayIcon } from '../ui/icons.tsx';
import type { Alert } from '../market/alerts/alert.ts';
import {
  conditionText,
  crossingText,
  distanceText,
  stateName,
  waitText,
} from '../market/alerts/alert-texts.ts';
import {
  alerts,
  pauseAlert,
  removeAlert,
  resumeAlert,
  sights,
} from '../market/alerts/stored-alerts.ts';
import { useCurrentValues } from './use-current-values.ts';
import { watchState, type WatchState } from './watch-alerts.ts';

const watchTexts: Readonly<Record<WatchState, string>> = {
  idle: 'Sin vigilancia',
  watching: 'Esta pestaña vigila las alertas.',
  disconnected: 'Sin conexión con el servicio: las alertas esperan la reconexión.',
  elsewhere: 'Otra pestaña de este navegador vigila las alertas.',
};

/** The alerts of this browser with the state of each, and how far its level is. */
export function AlertList({ onEdit }: { readonly onEdit: (id: string) => void }) {
  const valueNow = useCurrentValues(alerts.value);
  if (alerts.value.length === 0) return <p class="muted">Todavía no hay alertas.</p>;
  return (
    <section aria-labelledby="alert-list">
      <h2 id="alert-list">Alertas de este navegador</h2>
      <p class="hint" role="status">
        {watchTexts[watchState.value]}
      </p>
      <ul class="choice-list alert-list" aria-labelledby="alert-list">
        {alerts.value.map((alert) => (
          <AlertLine
            key={alert.id}
            alert={alert}
            current={valueNow(alert).current}
            onEdit={onEdit}
          />
        ))}
      </ul>
    </section>
  );
}

function AlertLine({
  alert,
  current,
  onEdit,
}: {
  readonly alert: Alert;
  readonly current: number | undefined;
  readonly onEdit: (id: string) => void;
}) {
  const { id, ticker, kind, isPaused } = alert;
  const info = instruments.value.get(ticker);
  const seen = sights.value[id];
  const condition = conditionText(alert, info);
  const last =
    seen?.crossed === undefined ? '' : `Último aviso: ${crossingText(kind, seen.crossed, info)}.`;
  const distance = current === undefined ? '' : `${distanceText(alert, current, info)}.`;
  const actions = [
    isPaused === true
      ? { name: 'Reanudar', Icon: PlayIcon, run: resumeAlert }
      : { name: 'Pausar', Icon: PauseIcon, run: pauseAlert },
    { name: 'Cambiar', Icon: EditIcon, run: onEdit },
    { name: 'Eliminar', Icon: CloseIcon, run: removeAlert },
  ];
  return (
    <li>
      <span class="choice-name">
        <a href={formatRoute(instrumentRoute(ticker))}>{condition}</a>
        <br />
        <span class="hint">
          <strong>{stateName(alert, seen)}.</strong>{' '}
          {[waitText(alert, seen), distance, last].filter((part) => part !== '').join(' ')}
        </span>
      </span>
      <span class="whole">
        {actions.map(({ name, Icon, run }, at) => (
          // By its place: a button that keeps its element after a click keeps the focus too.
          <Button
            key={at}
            look="icon"
            aria-label={`${name} la alerta: ${condition}`}
            onClick={() => run(id)}
          >
            <Icon />
          </Button>
        ))}
      </span>
    </li>
  );
}
