import { changeList, type TickerList } from '../../market/lists/ticker-lists.ts';
import { entry, remember, replaceRoute } from '../../places/location.ts';
import type { CurrencyCode } from '../../places/chart-choices.ts';
import {
  readLook,
  sessionRange,
  type BoardLook,
  type BoardPlace,
  type RangeCode,
  type ViewCode,
} from '../../places/route.ts';

/** The range of the charts of a place. */
export function rangeOf({ range }: BoardLook): RangeCode {
  return range ?? sessionRange;
}

/** The currency of a place. */
export function currencyOf({ currency }: BoardLook): CurrencyCode {
  return currency ?? 'original';
}

/**
 * Shows a board in another view, with another range or in another currency. A list of this browser remembers them;
 * the address of any other board has them.
 */
export function changeLook(
  place: BoardPlace,
  changes: {
    readonly view?: ViewCode;
    readonly range?: RangeCode;
    readonly currency?: CurrencyCode;
  },
): void {
  const { view = place.view, range = rangeOf(place), currency = currencyOf(place) } = changes;
  if (view !== place.view) {
    // Another view has other heights.
    const { scrollTop: _, ...rest } = entry();
    remember(rest);
  }
  const look = readLook({ view, range, currency });
  if (!isOwnList(place)) return replaceRoute(withLook(place, look));
  changeList(place.name, () => ({ look: { ...look, range } }));
  replaceRoute({ ...withLook(place, look), isAsStored: true });
}

/** The place on the wall, which no list remembers: it fills the screen. */
export function onWall(place: BoardPlace): BoardPlace {
  if (!isOwnList(place)) return { ...place, view: 'mural' };
  const { isAsStored: _, ...rest } = place;
  return { ...rest, view: 'mural' };
}

/** The place after the wall: the table or, of a list of this browser, the view that it remembers. */
export function offWall(place: BoardPlace): BoardPlace {
  return isOwnList(place) ? { ...place, isAsStored: true } : { ...place, view: 'tabla' };
}

/** What a list stores of the look with which it is saved. Undefined for that of a new list. */
export function storedLook(look: BoardLook): TickerList['look'] {
  const { view, range, currency } = lookOf(look);
  const isUsual = view === 'tabla' && range === undefined && currency === undefined;
  return isUsual ? undefined : { ...lookOf(look), range: rangeOf(look) };
}

let latestLook: BoardLook = { view: 'tabla' };

/**
 * The look of a panel that is opened from a place: that of the panel before it. A list of this browser
 * has a look of its own, which panels do not take over.
 */
export function panelLook(place: BoardPlace): BoardLook {
  if (!isOwnList(place)) latestLook = lookOf(place);
  return latestLook;
}

/** The view, the range and the currency of a place, for the address of another board. */
export function lookOf({ view, range, currency }: BoardLook): BoardLook {
  return readLook({ view, range, currency });
}

function withLook<P extends BoardPlace>(place: P, look: BoardLook): P {
  const { range: _range, currency: _currency, ...rest } = place;
  return { ...rest, ...look } as P;
}

/** Whether a place is a list of this browser. */
export function isOwnList(place: BoardPlace): place is BoardPlace & { readonly page: 'list' } {
  return place.page === 'list' && place.tickers === undefined;
}
