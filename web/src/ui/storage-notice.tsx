import { isStorageRefused } from './stored-value.ts';

/** Says that a list, an alert or a choice of columns will be lost with the page. */
export function StorageNotice() {
  if (!isStorageRefused.value) return null;
  return (
    <p class="notice notice-bad" role="alert">
      El navegador no guardó el último cambio: su almacenamiento está lleno o deshabilitado.
    </p>
  );
}
