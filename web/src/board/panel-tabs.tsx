import { useEffect, useRef } from 'preact/hooks';

import { addList, tickerLists } from '../market/lists/stored-lists.ts';
import { listsMax } from '../market/lists/ticker-lists.ts';
import { panels } from '../market/panels.ts';
import { formatRoute, listRoute } from '../places/route.ts';
import { PlusIcon } from '../ui/icons.tsx';
import { choosePanel } from '../places/home-panel.ts';
import { goTo } from '../places/location.ts';
import { panelLook } from './state/board-look.ts';
import type { BoardPlace } from '../places/route.ts';

/** The lists of this browser, and the panels of the contract. Each is a link. */
export function PanelTabs({ place }: { readonly place: BoardPlace }) {
  const tabs = useRef<HTMLDivElement>(null);
  const lists = tickerLists.value;
  const look = panelLook(place);
  const current = place.page === 'board' ? place.panel : place.name;
  useEffect(() => {
    const chosen = tabs.current?.querySelector('[aria-current]');
    chosen?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current, lists.length]);
  const isOwn = place.page === 'list' && place.tickers === undefined;
  return (
    <div class="tab-bar">
      <div class="tabs" ref={tabs}>
        {lists.length > 0 && (
          <nav aria-label="Mis listas">
            {lists.map(({ name, tickers }) => (
              <a
                key={name}
                href={formatRoute(listRoute(name))}
                aria-current={isOwn && name === current ? 'page' : undefined}
              >
                <span class="tab-code">{name}</span>
                <span class="tab-name">
                  {tickers.length === 1 ? '1 especie' : `${tickers.length} especies`}
                </span>
              </a>
            ))}
          </nav>
        )}
        <nav aria-label="Paneles">
          {panels.map(({ value, name }) => (
            <a
              key={value}
              href={formatRoute({ page: 'board', panel: value, ...look })}
              onClick={() => choosePanel(value)}
              aria-current={place.page === 'board' && value === current ? 'page' : undefined}
            >
              <span class="tab-code">{value}</span>
              <span class="tab-name">{name}</span>
            </a>
          ))}
        </nav>
      </div>
      {lists.length < listsMax && (
        <button type="button" class="tab-button" onClick={createList}>
          <PlusIcon />
          Lista
          <span class="visually-hidden"> nueva</span>
        </button>
      )}
    </div>
  );
}

function createList(): void {
  const name = addList({ name: 'Mi lista', tickers: [] });
  if (name !== undefined) goTo(listRoute(name));
}
