import type { ComponentChildren } from 'preact';

import { isStorageRefused } from './stored-value.ts';

/** What went wrong, which screen readers announce. Nothing without a text. */
export function Problem({ children }: { readonly children: ComponentChildren }) {
  if (!children) return null;
  return (
    <p class="notice notice-bad" role="alert">
      {children}
    </p>
  );
}

/** Says that the last change of a list, an alert or another choice will be lost with the page. */
export function StorageNotice() {
  return (
    <Problem>
      {isStorageRefused.value &&
        'El navegador no guardó el último cambio: su almacenamiento está lleno o deshabilitado.'}
    </Problem>
  );
}
