import { useLayoutEffect, useState } from 'preact/hooks';

import { LiveQuotes } from './live-quotes.ts';
import type { Selection } from './live-quotes.ts';

/**
 * The quotes of a selection, followed while the component is mounted. Without a selection, it
 * follows nothing.
 */
export function useLiveQuotes(
  selection: Selection | undefined,
  key: string,
): LiveQuotes | undefined {
  const [live, setLive] = useState<LiveQuotes | undefined>(undefined);
  // Before the first frame is painted, which takes long on a slow machine.
  useLayoutEffect(() => {
    if (selection === undefined) return undefined;
    const followed = new LiveQuotes(selection, key);
    setLive(followed);
    return () => followed[Symbol.dispose]();
  }, [JSON.stringify(selection), key]);
  return live;
}
