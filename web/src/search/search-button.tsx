import { useEffect } from 'preact/hooks';

import { SearchIcon } from '../shell/icons.tsx';
import { route } from '../shell/location.ts';
import { openSearch } from './search-dialog.tsx';

/**
 * Opens the search. Ctrl+K or ⌘K opens it from anywhere. The slash key opens it too, except on the
 * board, where it moves to the filter of the panel.
 */
export function SearchButton() {
  useEffect(() => {
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <button
      type="button"
      class="bar-button search-button"
      aria-label="Buscar"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      title="Buscar una especie (Ctrl+K)"
      onClick={openSearch}
    >
      <SearchIcon />
      <span class="wide-only">Buscar</span>
    </button>
  );
}

function onKey(event: KeyboardEvent): void {
  const isCommand = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
  const isSlash = event.key === '/' && route.value.page !== 'board' && !isTyping(event.target);
  if (!isCommand && !isSlash) return;
  // Another dialog, such as that of the key, stays in front.
  if (document.querySelector('dialog[open]') !== null) return;
  event.preventDefault();
  openSearch();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, dialog *');
}
