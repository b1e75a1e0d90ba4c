import { formatRoute, instrumentRoute } from '../places/route.ts';
import { BellIcon, CloseIcon } from '../ui/icons.tsx';
import { conditionText, crossingText, dismiss, notices } from './notices.ts';

/** The alerts that fired, above every page, until the user dismisses them. */
export function NoticeList() {
  return (
    <section class="alert-notices" aria-label="Avisos de alertas" aria-live="assertive">
      {notices.value.map((alert) => (
        <div key={alert.id} class="alert-notice">
          <BellIcon />
          <p>
            <a href={formatRoute(instrumentRoute(alert.ticker))}>
              <strong>{conditionText(alert)}</strong>
            </a>
            <br />
            <span class="muted">{crossingText(alert)}</span>
          </p>
          <button
            type="button"
            class="icon-button"
            aria-label={`Descartar el aviso de ${alert.ticker}`}
            onClick={() => dismiss(alert.id)}
          >
            <CloseIcon />
          </button>
        </div>
      ))}
    </section>
  );
}
