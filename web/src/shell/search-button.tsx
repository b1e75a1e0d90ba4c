import { useEffect } from 'preact/hooks';

import { SearchIcon } from '../ui/icons.tsx';
import { useShortcut } from '../ui/shortcuts.ts';
import { openSearch } from './search-dialog.tsx';

/**
 * Opens the search. Ctrl+K or ⌘K opens it from anywhere. The slash key opens it too, unless the page
 * has a filter of its own, such as that of the board.
 */
export function SearchButton() {
  useEffect(() => {
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  useShortcut('/', searchUnlessFilter);
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

function searchUnlessFilter(): void {
  const filter = document.querySelector<HTMLInputElement>('.filter input');
  // What is typed replaces a filter from before. To select it focuses the field too.
  if (filter === null) openSearch();
  else filter.select();
}

function onKey(event: KeyboardEvent): void {
  const isCommand = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
  // Another dialog, such as that of the key, stays in front.
  if (!isCommand || document.querySelector('dialog[open]') !== null) return;
  event.preventDefault();
  openSearch();
}
