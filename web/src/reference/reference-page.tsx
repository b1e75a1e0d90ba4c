import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';

import { contract } from '../market/contract.ts';
import { usePageTitle } from '../ui/use-page-title.ts';
import type { ReferenceDocument } from './reference-document.ts';

type View = FunctionComponent<{
  readonly document: ReferenceDocument;
  readonly anchor: string | undefined;
}>;

/** The reference of the API, rendered from the contract that the service serves. */
export function ReferencePage({ anchor }: { readonly anchor: string | undefined }) {
  usePageTitle('Referencia');
  const view = useSignal<View | 'failed' | undefined>(undefined);
  useEffect(() => {
    // Other pages do not load the module of this one.
    const load = async () => {
      try {
        const { ReferenceView } = await import('./reference-view.tsx');
        view.value = ReferenceView;
      } catch {
        view.value = 'failed';
      }
    };
    void load();
  }, [view]);
  const document = contract.value as ReferenceDocument | undefined;
  if (view.value === 'failed') {
    return (
      <p class="notice notice-bad page-note" role="alert">
        No se pudo cargar la referencia. Recargar la página o consultar{' '}
        <a href="openapi.json">openapi.json</a>.
      </p>
    );
  }
  const Loaded = view.value;
  if (Loaded === undefined || document === undefined)
    return <p class="muted page-note">Cargando la referencia…</p>;
  return <Loaded document={document} anchor={anchor} />;
}
