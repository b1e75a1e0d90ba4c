import { effect } from '@preact/signals';
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

/**
 * Loads the quotes of a page before the page is drawn, so that it is drawn once. A page that is drawn as soon as the
 * promise resolves uses the loaded quotes, without another request.
 *
 * @param beside the selection of a view beside the page, such as the strip. It shares the stream of the page.
 * @param msMax the maximum time to wait, in milliseconds.
 */
export async function loadQuotes(
  page: Selection,
  beside: Selection | undefined,
  msMax: number,
): Promise<void> {
  const view = store.view(page, false);
  const views = [view, ...(beside === undefined ? [] : [store.view(beside, true)])];
  const releases = views.map((one) => one.hold());
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, msMax);
  const end = effect(() => {
    if (view.isLoaded.value) over.resolve();
  });
  await over.promise;
  end();
  clearTimeout(timer);
  setTimeout(() => {
    for (const release of releases) release();
  });
}
