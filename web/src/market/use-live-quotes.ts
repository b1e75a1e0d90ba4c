import { useEffect, useState } from 'preact/hooks';

import { LiveQuotes } from './live-quotes.ts';
import type { Selection } from './live-quotes.ts';

/** The quotes of a selection, followed while the component is mounted. */
export function useLiveQuotes(selection: Selection, key: string): LiveQuotes | undefined {
  const [live, setLive] = useState<LiveQuotes | undefined>(undefined);
  useEffect(() => {
    const followed = new LiveQuotes(selection, key);
    setLive(followed);
    return () => followed[Symbol.dispose]();
  }, [JSON.stringify(selection), key]);
  return live;
}
