import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { Dialog } from '../ui/dialog.tsx';
import { BellIcon, BoardIcon, MoreIcon, SearchIcon, SwapIcon } from '../ui/icons.tsx';
import { lazy } from '../ui/lazy.tsx';
import { route } from '../places/location.ts';
import type { Route } from '../places/route.ts';
import { PageLink } from './page-link.tsx';
import { openSearch } from './search-dialog.tsx';

const MoreMenu = lazy(async () => (await import('./more-menu.tsx')).MoreMenu);

/** The navigation at the bottom of a phone, within reach of a thumb. Wider screens have the top bar. */
export function BottomBar({ page }: { readonly page: Route['page'] }) {
  const isMoreOpen = useSignal(false);
  const close = () => {
    isMoreOpen.value = false;
  };
  useEffect(close, [route.value]);
  return (
    <nav class="bottom-bar screen-only" aria-label="Principal">
      <PageLink to="board" page={page}>
        <BoardIcon />
        Pizarra
      </PageLink>
      <PageLink to="dollars" page={page}>
        <SwapIcon />
        Dólares
      </PageLink>
      <button type="button" aria-haspopup="dialog" onClick={openSearch}>
        <SearchIcon />
        Buscar
      </button>
      <PageLink to="alerts" page={page}>
        <BellIcon />
        Alertas
      </PageLink>
      <button
        type="button"
        class={page === 'api' ? 'is-current' : ''}
        aria-haspopup="dialog"
        onClick={() => (isMoreOpen.value = true)}
      >
        <MoreIcon />
        Más
      </button>
      <Dialog title="Más" kind="sheet" isOpen={isMoreOpen}>
        <MoreMenu page={page} onClose={close} />
      </Dialog>
    </nav>
  );
}
