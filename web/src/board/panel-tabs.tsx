import { useEffect, useRef } from 'preact/hooks';

import { addList, tickerLists } from '../market/lists/stored-lists.ts';
import { listsMax } from '../market/lists/ticker-lists.ts';
import { panels } from '../market/panels.ts';
import { formatRoute, listRoute, type BoardPlace, type ViewCode } from '../places/route.ts';
import { PlusIcon } from '../ui/icons.tsx';
import { choosePanel } from '../places/home-panel.ts';
import { goTo } from '../places/location.ts';
import { panelLook } from './state/board-look.ts';
import { isBondPanel } from './state/board-source.ts';
import { whenIdle } from '../ui/when-idle.ts';

/** The panels with an alias, which is no panel of its own (contract 2.4). */
const aliases: Readonly<Record<string, string>> = { BONOS: 'BON' };

const panelTabs = panels
  .filter(({ value }) => !Object.values(aliases).includes(value))
  .map((panel) => ({ ...panel, alias: aliases[panel.value] }));

/** The lists of this browser, and the panels of the contract. Each is a link. An alias has no tab of its own. */
export function PanelTabs({ place }: { readonly place: BoardPlace }) {
  const tabs = useRef<HTMLDivElement>(null);
  const lists = tickerLists.value;
  const look = panelLook(place);
  const current = place.page === 'board' ? place.panel : place.name;
  useEffect(() => {
    // It needs a layout of its own, so the first quotes come before it.
    whenIdle(() => {
      const chosen = tabs.current?.querySelector('[aria-current]');
      chosen?.scrollIntoView({ block: 'nearest', inline: 'center' });
    });
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
          {panelTabs.map(({ value, name, alias }) => (
            <a
              key={value}
              href={formatRoute({
                page: 'board',
                panel: value,
                ...look,
                view: viewIn(value, look.view),
              })}
              onClick={() => choosePanel(value)}
              title={
                alias === undefined ? name : `${name}. ${alias} es otro código del mismo panel`
              }
              aria-current={
                place.page === 'board' && [value, alias].includes(current) ? 'page' : undefined
              }
            >
              <span class="tab-code">{value}</span>
              <span class="tab-name">
                {name}
                {alias !== undefined && alias === current && ` (${alias})`}
              </span>
            </a>
          ))}
        </nav>
      </div>
      {lists.length < listsMax && (
        <button type="button" class="tab-button" title="Lista nueva" onClick={createList}>
          <PlusIcon />
          <span class="visually-hidden">Lista nueva</span>
        </button>
      )}
    </div>
  );
}

/** The view in which a panel is opened. Only a panel of bonds has a curve. */
function viewIn(panel: string, view: ViewCode): ViewCode {
  return view === 'curva' && !isBondPanel(panel) ? 'tabla' : view;
}

function createList(): void {
  const name = addList({ name: 'Mi lista', tickers: [] });
  if (name !== undefined) goTo(listRoute(name));
}
