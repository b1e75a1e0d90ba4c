import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';

import { usableKey } from '../key/api-key.ts';
import { FollowedQuotes, type LiveQuotes } from './live-quotes.ts';
import { FollowedPaths } from './session-paths.ts';
import { selectionQuery, type Selection } from './stream/joined-selection.ts';

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
  const query = selection === undefined ? '' : selectionQuery(selection);
  const paths = useMemo(() => new FollowedPaths(query), [query, key]);
  useEffect(() => paths.keepWhole(), [paths]);
  const [live, setLive] = useState<LiveQuotes | undefined>(undefined);
  // Before the first frame is painted, which takes long on a slow machine.
  useLayoutEffect(() => {
    if (selection === undefined || key === undefined) return undefined;
    const followed = new FollowedQuotes(selection, paths, { isBeside });
    setLive(followed);
    return () => followed[Symbol.dispose]();
  }, [JSON.stringify(selection), key]);
  return live;
}
