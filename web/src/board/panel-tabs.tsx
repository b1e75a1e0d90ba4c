import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { addList, tickerLists, listsMax } from '../market/lists/ticker-lists.ts';
import { panels } from '../market/panels.ts';
import { formatRoute, listRoute, type BoardPlace, type ViewCode } from '../places/route.ts';
import { PlusIcon } from '../ui/icons.tsx';
import { choosePanel } from '../places/home-panel.ts';
import { goTo } from '../places/location.ts';
import { Menu } from '../ui/menu.tsx';
import { isOwnList, panelLook } from './state/board-look.ts';
import { isBondPanel } from './state/board-source.ts';
import { whenIdle } from '../ui/when-idle.ts';

/** The panel with an alias, which is no panel of its own (contract 2.4). */
const aliases: Readonly<Record<string, string>> = { BONOS: 'BON' };

/** The panels that are looked at most come first, then the lists of this browser, then the other panels. */
const firstPanels: readonly string[] = ['LID', 'GEN', 'BONOS', 'CED', 'IND'];

interface Tab {
  readonly key: string;
  readonly name: string;
  /** The code of a panel, or the number of instruments of a list. */
  readonly note: string;
  readonly href: string;
  readonly isCurrent: boolean;
  readonly onClick?: () => void;
}

/**
 * The panels of the contract and the lists of this browser, by their names. Each is a link. Those that do not fit into
 * the line are in a menu.
 */
export function PanelTabs({ place }: { readonly place: BoardPlace }) {
  const bar = useRef<HTMLElement>(null);
  const tabs = tabsOf(place);
  /** The number of tabs that the line has room for. Undefined until it is measured. */
  const fitting = useSignal<number | undefined>(undefined);
  useEffect(() => {
    const measure = () => {
      const links = [...(bar.current?.children ?? [])].map(
        (link) => (link as HTMLElement).offsetTop,
      );
      const cut = links.findIndex((top) => top > (links[0] ?? 0));
      fitting.value = cut === -1 ? links.length : cut;
    };
    const observer = new ResizeObserver(measure);
    // It needs a layout of its own, so the first quotes come before it.
    whenIdle(() => {
      if (bar.current !== null) observer.observe(bar.current);
    });
    return () => observer.disconnect();
  }, [tabs.map(({ name }) => name).join()]);
  const count = fitting.value ?? tabs.length;
  const left = tabs.slice(count);
  const current = left.find(({ isCurrent }) => isCurrent);
  return (
    <nav class="tab-bar screen-only" aria-label="Paneles">
      <span class="tabs" ref={bar}>
        {tabs.map(({ key, name, note, isCurrent, ...link }, at) => (
          <a
            key={key}
            {...link}
            class={at < count ? '' : 'tab-left-out'}
            title={note}
            aria-current={isCurrent ? 'page' : undefined}
          >
            {name}
          </a>
        ))}
      </span>
      {left.length > 0 && (
        <Menu
          class={current === undefined ? 'tab-menu' : 'tab-menu is-current'}
          title={current?.name ?? 'Más'}
        >
          <ul class="menu-list choices pop">
            {left.map(({ key, name, note, isCurrent, ...link }) => (
              <li key={key}>
                <a {...link} aria-current={isCurrent ? 'page' : undefined}>
                  {name} <span class="muted">{note}</span>
                </a>
              </li>
            ))}
          </ul>
        </Menu>
      )}
      {tickerLists.value.length < listsMax && (
        <button type="button" class="tab-button" title="Lista nueva" onClick={createList}>
          <PlusIcon />
          <span class="visually-hidden">Lista nueva</span>
        </button>
      )}
    </nav>
  );
}

function tabsOf(place: BoardPlace): readonly Tab[] {
  const look = panelLook(place);
  const current = place.page === 'board' ? place.panel : place.name;
  const panelTabs = panels
    .filter(({ value }) => !Object.values(aliases).includes(value))
    .map(({ value, name }): Tab => {
      const alias = aliases[value];
      const view = viewIn(value, look.view);
      return {
        key: value,
        name: name.replace(/^Panel (.)/, (_all, first: string) => first.toUpperCase()),
        note: alias === undefined ? value : `${value}, ${alias}`,
        href: formatRoute({ page: 'board', panel: value, ...look, view }),
        isCurrent: place.page === 'board' && [value, alias].includes(current),
        onClick: () => choosePanel(value),
      };
    });
  const first = firstPanels.flatMap((code) => panelTabs.find(({ key }) => key === code) ?? []);
  const listTabs = tickerLists.value.map(({ name, tickers }): Tab => ({
    key: `lista ${name}`,
    name,
    note: tickers.length === 1 ? '1 especie' : `${tickers.length} especies`,
    href: formatRoute(listRoute(name)),
    isCurrent: isOwnList(place) && name === current,
  }));
  return [...first, ...listTabs, ...panelTabs.filter((tab) => !first.includes(tab))];
}

/** The view in which a panel is opened. Only a panel of bonds has a curve and a calendar. */
function viewIn(panel: string, view: ViewCode): ViewCode {
  return (view === 'curva' || view === 'calendario') && !isBondPanel(panel) ? 'tabla' : view;
}

function createList(): void {
  const name = addList({ name: 'Mi lista', tickers: [] });
  if (name !== undefined) goTo(listRoute(name));
}
