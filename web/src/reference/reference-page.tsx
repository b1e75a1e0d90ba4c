import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { usePageTitle } from '../ui/use-page-title.ts';

/** Created at the first visit and reused at later ones. */
let viewer: Promise<HTMLElement> | undefined;

/** The whole contract. It is a page of the playground, so that the key remains in memory. */
export function ReferencePage() {
  usePageTitle('Referencia');
  const place = useRef<HTMLDivElement>(null);
  const state = useSignal<'loading' | 'shown' | 'failed'>('loading');
  useEffect(() => {
    let isLeft = false;
    const show = async () => {
      viewer ??= import('./viewer.ts').then(({ createViewer }) => createViewer());
      try {
        const element = await viewer;
        if (isLeft) return;
        place.current?.replaceChildren(element);
        state.value = 'shown';
      } catch {
        viewer = undefined;
        state.value = 'failed';
      }
    };
    void show();
    return () => {
      isLeft = true;
    };
  }, []);
  return (
    <>
      <h1 class="visually-hidden">Referencia de la API</h1>
      {state.value === 'loading' && <p class="muted page-note">Cargando la referencia…</p>}
      {state.value === 'failed' && (
        <p class="notice notice-bad page-note" role="alert">
          No se pudo cargar la referencia. Recargar la página o consultar{' '}
          <a href="openapi.json">openapi.json</a>.
        </p>
      )}
      <div ref={place} />
      <p class="muted page-note">
        <a href="THIRD-PARTY-NOTICES.txt">Licencias del software de terceros</a>
      </p>
    </>
  );
}
