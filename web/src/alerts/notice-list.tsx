import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

import { instruments } from '../market/instruments.ts';
import { formatRoute, instrumentRoute } from '../places/route.ts';
import { Button } from '../ui/button.tsx';
import { BellIcon, CloseIcon } from '../ui/icons.tsx';
import { titleNotice } from '../ui/use-page-title.ts';
import { crossingText, firedText } from '../market/alerts/alert-texts.ts';
import { dismissNotice, undismissed } from '../market/alerts/stored-alerts.ts';
import { watchAlerts } from './watch-alerts.ts';
import styles from '../styles/alerts.css?inline';
import { addStyles } from '../ui/screen/add-styles.ts';

addStyles(styles);

/** Maximum number of notices on the page: the latest ones. The page of the alerts has all. */
const noticesMax = 5;

/**
 * Watches the alerts, and shows those that fired above every page and in every tab, until the user dismisses
 * them. The title of the tab has the latest one.
 */
export function NoticeList() {
  const fired = undismissed.value;
  useEffect(() => watchAlerts(), []);
  const list = useRef<HTMLElement>(null);
  // The page ends above the notices, so that what they cover can be reached.
  useLayoutEffect(() => {
    const height = fired.length === 0 ? 0 : (list.current?.offsetHeight ?? 0);
    document.documentElement.style.setProperty('--notices', `${height}px`);
  });
  const last = fired.at(-1)?.alert;
  const title =
    last === undefined
      ? ''
      : `(${fired.length}) ${firedText(last, instruments.value.get(last.ticker))}`;
  useEffect(() => {
    titleNotice.value = title;
    return () => {
      titleNotice.value = '';
    };
  }, [title]);
  return (
    <section
      ref={list}
      class="alert-notices screen-only stack"
      aria-label="Avisos de alertas"
      aria-live="assertive"
    >
      {fired.length > 1 && (
        <Button
          look="small"
          onClick={() => {
            for (const { alert } of fired) dismissNotice(alert.id);
          }}
        >
          Descartar todos
        </Button>
      )}
      {fired.slice(-noticesMax).map(({ alert, crossed }) => {
        const info = instruments.value.get(alert.ticker);
        return (
          <div key={alert.id} class="alert-notice pop">
            <BellIcon />
            <p class="fill">
              <a href={formatRoute(instrumentRoute(alert.ticker))}>
                <strong>{firedText(alert, info)}</strong>
              </a>
              <br />
              <span class="muted">{crossingText(alert.kind, crossed, info)}</span>
            </p>
            <Button
              look="icon"
              aria-label={`Descartar el aviso de ${alert.ticker}`}
              onClick={() => dismissNotice(alert.id)}
            >
              <CloseIcon />
            </Button>
          </div>
        );
      })}
    </section>
  );
}
