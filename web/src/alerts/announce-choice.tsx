import { isBackupOpen } from '../places/dialogs.ts';
import { Button } from '../ui/button.tsx';
import { Check } from '../ui/check.tsx';
import { askPermission, permission, playSound, sound, type Permission } from './notices.ts';

const texts: Readonly<Record<Permission, string>> = {
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
export function AnnounceChoice() {
  const state = permission().value;
  return (
    <div class="permission bar">
      <p class="hint" role="status">
        {texts[state]}
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
        title="Guardar o leer las listas, columnas y alertas"
        aria-haspopup="dialog"
        onClick={() => (isBackupOpen.value = true)}
      >
        Respaldo…
      </Button>
    </div>
  );
}
