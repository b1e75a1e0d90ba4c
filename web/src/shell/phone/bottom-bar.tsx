import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { Dialog } from '../../ui/dialog.tsx';
import { BellIcon, BoardIcon, MoreIcon, SearchIcon, SwapIcon } from '../../ui/icons.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { route } from '../../places/location.ts';
import type { Route } from '../../places/route.ts';
import { openSearch } from '../search-dialog.tsx';

const MoreMenu = lazy(async () => (await import('./more-menu.tsx')).MoreMenu);

/** The navigation at the bottom of a phone, within reach of a thumb. Wider screens have the top bar. */
export function BottomBar({ page }: { readonly page: Route['page'] }) {
  const isMoreOpen = useSignal(false);
  const close = () => {
    isMoreOpen.value = false;
  };
  useEffect(close, [route.value]);
  const isBoard = page === 'board' || page === 'list';
  const isMore = page === 'api';
  return (
    <nav class="bottom-bar" aria-label="Principal">
      <a href="#/" aria-current={isBoard ? 'page' : undefined}>
        <BoardIcon />
        Pizarra
      </a>
      <a href="#/dolares" aria-current={page === 'dollars' ? 'page' : undefined}>
        <SwapIcon />
        Dólares
      </a>
      <button type="button" aria-haspopup="dialog" onClick={openSearch}>
        <SearchIcon />
        Buscar
      </button>
      <a href="#/alertas" aria-current={page === 'alerts' ? 'page' : undefined}>
        <BellIcon />
        Alertas
      </a>
      <button
        type="button"
        class={isMore ? 'is-current' : ''}
        aria-haspopup="dialog"
        onClick={() => {
          isMoreOpen.value = true;
        }}
      >
        <MoreIcon />
        Más
      </button>
      <Dialog title="Más" kind="sheet" isOpen={isMoreOpen.value} onClose={close}>
        <MoreMenu page={page} onClose={close} />
      </Dialog>
    </nav>
  );
}
