import { useEffect, useState } from 'preact/hooks';

import { LiveQuotes } from './live-quotes.ts';

/** The quotes of a selection, followed for as long as they are looked at. */
export function useLiveQuotes(selection: string, key: string): LiveQuotes | undefined {
  const [live, setLive] = useState<LiveQuotes | undefined>(undefined);
  useEffect(() => {
    const followed = new LiveQuotes(selection, key);
    setLive(followed);
    return () => followed[Symbol.dispose]();
  }, [selection, key]);
  return live;
}
