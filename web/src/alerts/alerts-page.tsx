import { useSignal } from '@preact/signals';

import { usableKey } from '../key/api-key.ts';
import { KeyNeeded } from '../key/key-needed.tsx';
import { isBackupOpen } from '../places/dialogs.ts';
import type { Route } from '../places/route.ts';
import { Button } from '../ui/button.tsx';
import { Check } from '../ui/check.tsx';
import { usePageTitle } from '../ui/use-page-title.ts';
import { AlertForm } from './alert-form.tsx';
import { AlertList } from './alert-list.tsx';
import { askPermission, permission, playSound, sound, type Permission } from './notices.ts';
import { alerts } from '../market/alerts/stored-alerts.ts';
import { BrokenLine } from '../market/broken-line.tsx';
import styles from '../styles/alerts.css?inline';
import { addStyles } from '../ui/screen/add-styles.ts';

addStyles(styles);

type AlertsPlace = Extract<Route, { readonly page: 'alerts' }>;

/** The alerts of this browser: a form for a new one, and the state of each. */
export function AlertsPage({ place: { ticker = '' } }: { readonly place: AlertsPlace }) {
  const key = usableKey.value;
  const editedId = useSignal<string | undefined>(undefined);
  const edited = alerts.value.find(({ id }) => id === editedId.value);
  usePageTitle('Alertas');
  const edit = (id: string) => {
    editedId.value = id;
    // The form is the first part of the page, and the alert may be far below it.
    requestAnimationFrame(() => document.getElementById('alert-level')?.focus());
  };
  return (
    <div class="alerts-page page page-narrow stack gap-7">
      <h1>Alertas</h1>
      <BrokenLine isEmpty={alerts.value.length === 0} />
      {key === undefined ? (
        <KeyNeeded />
      ) : (
        <>
          <AlertForm
            key={edited?.id ?? ticker}
            ticker={ticker}
            edited={edited}
            onDone={() => {
              editedId.value = undefined;
            }}
          />
          <AnnounceChoice />
        </>
      )}
      <AlertList onEdit={edit} />
      <Expectations />
    </div>
  );
}

const permissionTexts: Readonly<Record<Permission, string>> = {
  granted: 'Los avisos se muestran también como notificaciones del navegador.',
  default: 'Los avisos se muestran en la página. Para verlos con la página en segundo plano:',
  denied:
    'El navegador bloquea las notificaciones de esta página. Se permiten en la configuración del sitio. Mientras tanto, los avisos se muestran en la página.',
  unavailable:
    'Este navegador no ofrece notificaciones aquí: requieren HTTPS (o esta misma máquina), y los teléfonos no las admiten. Los avisos se muestran en la página.',
};

/**
 * How alerts are announced: whether they become notifications, for which it asks the permission only on a
 * click, and whether they make a sound.
 */
function AnnounceChoice() {
  const state = permission().value;
  return (
    <div class="permission screen-only bar">
      <p class="hint" role="status">
        {permissionTexts[state]}
      </p>
      {state === 'default' && (
        <Button look="small" onClick={() => void askPermission()}>
          Permitir notificaciones
        </Button>
      )}
      <Check
        checked={sound.value === 'on'}
        onCheck={(isChecked) => {
          sound.value = isChecked ? 'on' : 'off';
          // The choice is heard, and the click allows the page to play.
          if (isChecked) playSound();
        }}
      >
        Avisar con un sonido
      </Check>
      <Button
        look="small"
        title="Guardar o leer las listas, columnas, alertas y niveles"
        aria-haspopup="dialog"
        onClick={() => (isBackupOpen.value = true)}
      >
        Respaldo…
      </Button>
    </div>
  );
}

function Expectations() {
  return (
    <section class="hint stack" aria-labelledby="alert-limits">
      <h2 id="alert-limits">Qué esperar de una alerta</h2>
      <ul class="stack">
        <li>
          Avisa una vez por cada cruce: después, espera que el valor vuelva al otro lado. La
          variación y el volumen empiezan de cero en cada rueda. La TIR es la de la convención
          Pizarra, y se consulta cada diez segundos.
        </li>
        <li>
          Funciona mientras Pizarra esté abierta con una clave en una pestaña de este navegador. Si
          un cruce ocurre con todo cerrado, avisa al abrir, salvo que el valor ya haya vuelto. Un
          teléfono suspende las pestañas en segundo plano.
        </li>
        <li>Los niveles no se ajustan por splits ni cambios de ratio.</li>
      </ul>
    </section>
  );
}
