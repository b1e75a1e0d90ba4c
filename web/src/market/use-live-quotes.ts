import { useLayoutEffect, useMemo } from 'preact/hooks';

import { usableKey } from '../key/api-key.ts';
import type { LiveQuotes } from './live-quotes.ts';
import type { Selection } from './stream/joined-selection.ts';
import { store } from './quote-store.ts';

/**
 * The quotes of a selection, followed while the component is mounted. Without a selection
 * or a key, it follows nothing.
 *
 * @param isBeside the view stands beside the page, as the strip does.
 */
export function useLiveQuotes(
  selection: Selection | undefined,
  { isBeside = false } = {},
): LiveQuotes | undefined {
  const key = usableKey.value;
  const view = useMemo(
    () =>
      key === undefined || selection === undefined ? undefined : store.view(selection, isBeside),
    [JSON.stringify(selection), isBeside, key],
  );
  useLayoutEffect(() => view?.hold(), [view]);
  return view;
}
