import { computed, effect, signal } from '@preact/signals';

import { readLinkedKey } from '../key/take-linked-key.ts';
import { findList } from '../market/lists/ticker-lists.ts';
import { preference } from '../ui/preferences.ts';
import {
  defaultRange,
  formatRoute,
  parseRoute,
  rangeCodes,
  readLook,
  type Route,
} from './route.ts';
import { homePanel } from './home-panel.ts';

// A key in the address is removed before the address is parsed as a route.
readLinkedKey();
const hash = signal(location.hash);
window.addEventListener('hashchange', () => {
  readLinkedKey();
  // An entry of the history that the visitor comes back to has its state already.
  remember({ previous: hash.value, ...entry() });
  hash.value = location.hash;
});

/** What an entry of the history remembers. */
interface Entry {
  /** The fragment of the entry before, if that is a place of the playground too. */
  readonly previous?: string;
  /** How far a table is scrolled, in pixels. */
  readonly scrollTop?: number;
}

/** What the current entry of the history remembers. */
export function entry(): Entry {
  return (history.state as Entry | null) ?? {};
}

/** Replaces what the current entry of the history remembers, and its address if one is given. */
export function remember(state: Entry, address?: string): void {
  try {
    history.replaceState(state, '', address);
  } catch {
    // Safari refuses more than a hundred changes in half a minute. The page is right without them.
  }
}

/** The range of the chart of an instrument that was chosen last. The browser stores it. */
export const lastRange = preference('pizarra.range', [defaultRange, ...rangeCodes]);

/** The current route. */
export const route = computed((): Route => {
  const parsed = parseRoute(hash.value);
  if ('isHome' in parsed) return { ...parsed, panel: homePanel.value };
  if ('isLastRange' in parsed) return { ...parsed, range: lastRange.value };
  if (parsed.page !== 'list' || parsed.isAsStored === undefined) return parsed;
  const look = findList(parsed.name)?.look;
  return look === undefined ? parsed : { ...parsed, ...readLook(look) };
});

let lastBoard: string | undefined;
effect(() => {
  if (isBoard(route.value)) lastBoard = hash.value;
});

function isBoard({ page }: Route): boolean {
  return page === 'board' || page === 'list';
}

/** The address of the board that was seen last, with its filter and its order. */
export function boardAddress(): string {
  const { previous = '' } = entry();
  const before = isBoard(parseRoute(previous)) ? previous : '';
  return (lastBoard ?? before) || '#/';
}

/** Goes back to the board if that is the entry of the history before this one. Returns whether it is. */
export function goBackToBoard(): boolean {
  const { previous } = entry();
  if (previous === undefined || (previous || '#/') !== boardAddress()) return false;
  history.back();
  return true;
}

/** Goes to a route and adds an entry to the history. */
export function goTo(place: Route): void {
  location.hash = formatRoute(place);
}

/**
 * Replaces the current route without an entry in the history, for another view of the same page.
 */
export function replaceRoute(place: Route): void {
  const address = formatRoute(place);
  remember(entry(), address);
  hash.value = address;
}
