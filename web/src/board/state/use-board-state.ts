import { useSignal, useSignalEffect } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import type { Sorting } from '../../market/sort-rows.ts';
import { replaceRoute } from '../../places/location.ts';
import { formatRoute } from '../../places/route.ts';
import type { BoardPlace } from '../../places/route.ts';

/** Which rows of a board are seen, and in which order. */
export interface BoardState {
  readonly filter: Signal<string>;
  readonly sorting: Signal<Sorting | undefined>;
}

/** The filter and the order of a board. They are in its address, so a link and the way back have them. */
export function useBoardState(place: BoardPlace): BoardState {
  const filter = useSignal(place.filter ?? '');
  const sorting = useSignal(place.sorting);
  const current = useRef(place);
  current.current = place;
  const address = formatRoute(place);
  const written = useRef(address);
  useEffect(() => {
    // What this board wrote itself is no news.
    if (address === written.current) return;
    written.current = address;
    filter.value = place.filter ?? '';
    sorting.value = place.sorting;
  }, [address]);
  useSignalEffect(() => {
    const { filter: _filter, sorting: _sorting, ...rest } = current.current;
    const wanted = { ...rest, ...stateOf(filter.value, sorting.value) };
    written.current = formatRoute(wanted);
    if (written.current !== formatRoute(current.current)) replaceRoute(wanted);
  });
  return { filter, sorting };
}

function stateOf(filter: string, sorting: Sorting | undefined) {
  return {
    ...(filter.trim() === '' ? {} : { filter }),
    ...(sorting === undefined ? {} : { sorting }),
  };
}
