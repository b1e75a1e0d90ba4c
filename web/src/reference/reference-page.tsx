import { contract } from '../market/contract.ts';
import { usePageTitle } from '../ui/use-page-title.ts';
import type { ReferenceDocument } from './reference-document.ts';
import { ReferenceView } from './reference-view.tsx';

/** The reference of the API, rendered from the contract that the service serves. */
export function ReferencePage({ anchor }: { readonly anchor: string | undefined }) {
  usePageTitle('Referencia');
  const document = contract.value as ReferenceDocument | undefined;
  if (document === undefined) return <p class="muted page-note">Cargando la referencia…</p>;
  return <ReferenceView document={document} anchor={anchor} />;
}
