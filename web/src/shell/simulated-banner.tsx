import { useSignal } from '@preact/signals';

import { isSimulated } from '../market/health-watch.ts';
import { CopiedCommand } from '../ui/copied-command.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** Says on every page that the prices are made up, as long as they are, and how to see real ones. */
export function SimulatedBanner() {
  const isAsked = useSignal(false);
  if (!isSimulated.value) return null;
  const close = () => {
    isAsked.value = false;
  };
  return (
    <>
      <div class="simulated" role="note">
        <strong>Demostración</strong>
        <span>
          Los precios son simulados.{' '}
          <span class="wide-only">No provienen del mercado y no sirven para operar.</span>
        </span>
        <button
          type="button"
          class="link-button wide-only"
          aria-haspopup="dialog"
          onClick={() => {
            isAsked.value = true;
          }}
        >
          Ver el mercado real →
        </button>
      </div>
      <Dialog title="Ver el mercado real" isOpen={isAsked.value} onClose={close}>
        <p>
          Detener el servicio e iniciarlo con las fuentes de la Argentina, que no piden una cuenta:
        </p>
        <CopiedCommand text="npx pizarra serve --market argentina" />
        <p>
          Muestra dólares, riesgo país, reservas y criptomonedas, la mayoría en el panel IND. Con{' '}
          <code>argentina-completo</code> muestra también acciones, bonos y CEDEARs; los términos de
          esas fuentes son dudosos, y <code>docs/sources.md</code> dice por qué.
        </p>
        <div class="dialog-actions">
          <button type="button" class="button button-primary" onClick={close}>
            Listo
          </button>
        </div>
      </Dialog>
    </>
  );
}
