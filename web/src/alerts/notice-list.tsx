import { changeUnitOf, instruments } from '../market/instruments.ts';
import { formatRoute, instrumentRoute } from '../places/route.ts';
import { BellIcon, CloseIcon } from '../ui/icons.tsx';
import { conditionText, crossingText } from './alert-texts.ts';
import { dismissNotice, undismissed } from './stored-alerts.ts';

/** Maximum number of notices on the page: the latest ones. The page of the alerts has all. */
const noticesMax = 5;

/** The alerts that fired, above every page and in every tab, until the user dismisses them. */
export function NoticeList() {
  const fired = undismissed.value;
  return (
    <section class="alert-notices" aria-label="Avisos de alertas" aria-live="assertive">
      {fired.length > 1 && (
        <button
          type="button"
          class="button button-small"
          onClick={() => {
            for (const { alert } of fired) dismissNotice(alert.id);
          }}
        >
          Descartar todos
        </button>
      )}
      {fired.slice(-noticesMax).map(({ alert, crossed }) => {
        const unit = changeUnitOf(instruments.value.get(alert.ticker));
        return (
          <div key={alert.id} class="alert-notice">
            <BellIcon />
            <p>
              <a href={formatRoute(instrumentRoute(alert.ticker))}>
                <strong>{conditionText(alert, unit)}</strong>
              </a>
              <br />
              <span class="muted">{crossingText(alert.kind, crossed, unit)}</span>
            </p>
            <button
              type="button"
              class="icon-button"
              aria-label={`Descartar el aviso de ${alert.ticker}`}
              onClick={() => dismissNotice(alert.id)}
            >
              <CloseIcon />
            </button>
          </div>
        );
      })}
    </section>
  );
}
