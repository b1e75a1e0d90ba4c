import { usableKey } from '../key/api-key.ts';
import { KeyNeeded } from '../key/key-needed.tsx';
import { formatRoute, instrumentRoute } from '../places/route.ts';
import type { Route } from '../places/route.ts';
import { CloseIcon } from '../ui/icons.tsx';
import { usePageTitle } from '../ui/use-page-title.ts';
import { AlertForm } from './alert-form.tsx';
import { conditionText, crossingText } from './notices.ts';
import { PermissionNote } from './permission-note.tsx';
import { isArmed } from './price-alert.ts';
import type { PriceAlert } from './price-alert.ts';
import { priceAlerts, removeAlert } from './stored-alerts.ts';
import { watchState } from './watch-alerts.ts';
import type { WatchState } from './watch-alerts.ts';

type AlertsPlace = Extract<Route, { readonly page: 'alerts' }>;

/** The alerts of this browser: a form for a new one, and the state of each. */
export function AlertsPage({ place }: { readonly place: AlertsPlace }) {
  const key = usableKey.value;
  usePageTitle('Alertas');
  return (
    <div class="alerts-page">
      <h1>Alertas de precio</h1>
      {key === undefined ? (
        <KeyNeeded />
      ) : (
        <>
          <AlertForm key={place.ticker ?? ''} ticker={place.ticker ?? ''} apiKey={key} />
          <PermissionNote />
        </>
      )}
      <AlertTable />
      <section class="hint" aria-labelledby="alert-limits">
        <h2 id="alert-limits">Qué esperar de una alerta</h2>
        <ul class="plain-list">
          <li>
            Avisa una vez por cada cruce del precio: después, espera que el precio vuelva al otro
            lado.
          </li>
          <li>
            Funciona mientras Pizarra esté abierta con una clave en una pestaña de este navegador,
            también en segundo plano. Si un cruce ocurre con todo cerrado, avisa al abrir, salvo que
            el precio ya haya vuelto.
          </li>
          <li>
            Compara los precios que llegan a la página. No ve un precio que duró menos que el
            intervalo entre dos actualizaciones. La demora de la fuente se suma.
          </li>
          <li>
            Un navegador puede suspender pestañas en segundo plano, por ejemplo para ahorrar
            batería; los de teléfonos lo hacen siempre. Para algo que no puede esperar, usar un
            programa propio con la API.
          </li>
          <li>Los precios de las alertas no se ajustan por splits ni cambios de ratio.</li>
        </ul>
      </section>
    </div>
  );
}

const watchTexts: Readonly<Record<WatchState, string>> = {
  idle: 'Sin vigilancia',
  watching: 'Esta pestaña vigila las alertas.',
  disconnected: 'Sin conexión con el servicio: las alertas esperan la reconexión.',
  elsewhere: 'Otra pestaña de este navegador vigila las alertas.',
};

function AlertTable() {
  const alerts = priceAlerts.value;
  if (alerts.length === 0) return <p class="muted">Todavía no hay alertas.</p>;
  return (
    <section aria-labelledby="alert-list">
      <h2 id="alert-list">Alertas de este navegador</h2>
      <p class="hint" role="status">
        {watchTexts[watchState.value]}
      </p>
      <ul class="choice-list alert-list" aria-labelledby="alert-list">
        {alerts.map((alert) => (
          <AlertLine key={alert.id} alert={alert} />
        ))}
      </ul>
    </section>
  );
}

function AlertLine({ alert }: { readonly alert: PriceAlert }) {
  return (
    <li>
      <span>
        <a href={formatRoute(instrumentRoute(alert.ticker))}>{conditionText(alert)}</a>
        <br />
        <span class="hint">{stateText(alert)}</span>
      </span>
      <button
        type="button"
        class="icon-button"
        aria-label={`Eliminar la alerta: ${conditionText(alert)}`}
        onClick={() => removeAlert(alert.id)}
      >
        <CloseIcon />
      </button>
    </li>
  );
}

function stateText(alert: PriceAlert): string {
  const armed = isArmed(alert);
  const beyond = alert.way === 'sube' ? 'por encima' : 'por debajo';
  const last = alert.crossed === undefined ? '' : ` Último aviso: ${crossingText(alert)}.`;
  if (armed === undefined) return `Espera el primer precio.${last}`;
  if (armed) return `Activa.${last}`;
  return `El precio ya está ${beyond} o es igual. Se activa cuando vuelva.${last}`;
}
