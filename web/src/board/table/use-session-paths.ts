import { useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';

import { connection } from '../../market/connection.ts';
import type { LiveQuotes } from '../../market/live-quotes.ts';
import { SessionPaths } from './session-paths.ts';

/** Rows this far below and above the view are loaded in advance, in pixels. */
const marginPx = 120;

/** The paths of a board, and how a row announces that it exists. */
export interface WatchedPaths {
  readonly paths: SessionPaths;
  /** Loads the path of a row while it is in view. The returned function ends this. */
  readonly watch: (row: Element, ticker: string) => () => void;
}

/** Follows the paths of the instruments of a board while the component is mounted. */
export function useSessionPaths(live: LiveQuotes, key: string): WatchedPaths {
  const watched = useMemo(() => watchPaths(key), [key]);
  const wasLost = useRef(false);
  useSignalEffect(() => {
    void live.moment.value;
    watched.paths.extend(live.rows());
  });
  useSignalEffect(() => {
    const kind = connection.value?.kind;
    if (kind === 'waiting') wasLost.current = true;
    if (kind !== 'live' || !wasLost.current) return;
    wasLost.current = false;
    watched.paths.reload();
  });
  useEffect(() => () => watched[Symbol.dispose](), [watched]);
  return watched;
}

function watchPaths(key: string): WatchedPaths & Disposable {
  const paths = new SessionPaths(key);
  const tickers = new WeakMap<Element, string>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        paths.setInView(tickers.get(target) ?? '', isIntersecting);
      }
    },
    { rootMargin: `${marginPx}px` },
  );
  return {
    paths,
    watch: (row, ticker) => {
      tickers.set(row, ticker);
      observer.observe(row);
      return () => {
        observer.unobserve(row);
        paths.setInView(ticker, false);
      };
    },
    [Symbol.dispose]: () => {
      observer.disconnect();
      paths[Symbol.dispose]();
    },
  };
}
