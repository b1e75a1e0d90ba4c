import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { isFirstLookOver, isSimulated, outage, outageText } from '../market/health-watch.ts';
import type { Route } from '../places/route.ts';
import { Button } from '../ui/button.tsx';
import { CopiedCommand } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { QuoteStrip } from './strip/quote-strip.tsx';
import { TopBar } from './top-bar.tsx';

/**
 * What stays at the top of every page. Its height depends on the banners and the strip. The styles read it
 * as `--top`, for what stays in view below it.
 */
export function PageTop({ page }: { readonly page: Route['page'] }) {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current: element } = top;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      document.documentElement.style.setProperty('--top', `${element.offsetHeight}px`);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div class={isFirstLookOver.value ? 'top' : 'top is-waiting'} ref={top}>
      <SimulatedBanner />
      <OutageBanner />
      <TopBar page={page} />
      <QuoteStrip />
    </div>
  );
}

/** Says on every page that the prices are made up, as long as they are, and how to see real ones. */
function SimulatedBanner() {
  const isAsked = useSignal(false);
  if (!isSimulated.value) return null;
  return (
    <>
      <div class="banner simulated row" role="note">
        <strong>Demostración</strong>
        <span>
          Los precios son simulados.{' '}
          <span class="wide-only">No provienen del mercado y no sirven para operar.</span>
        </span>
        <Button
          look="link"
          class="wide-only"
          aria-haspopup="dialog"
          onClick={() => (isAsked.value = true)}
        >
          Ver el mercado real →
        </Button>
      </div>
      <Dialog title="Ver el mercado real" isOpen={isAsked} end="Listo">
        <p>
          Detener el servicio e iniciarlo con las fuentes de la Argentina, que no piden una cuenta:
        </p>
        <CopiedCommand text="npx pizarra serve --market argentina" />
        <p>
          Muestra dólares, riesgo país, reservas y criptomonedas, la mayoría en el panel IND. Con{' '}
          <code>argentina-completo</code> muestra también acciones, bonos y CEDEARs; los términos de
          esas fuentes son dudosos, y <code>docs/sources.md</code> dice por qué.
        </p>
      </Dialog>
    </>
  );
}

/** Says on every page that no source gives prices, and why, or which sources stopped, as long as that is so. */
function OutageBanner() {
  const text = outageText();
  if (text === undefined) return null;
  return (
    <div class="banner outage row" role="alert">
      <strong>{text}</strong>
      {outage.value !== undefined && (
        <span class="wide-only">Se muestran los últimos precios conocidos, si los hay.</span>
      )}
    </div>
  );
}
