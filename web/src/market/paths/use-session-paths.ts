import { effect, untracked } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

import { usableKey } from '../../key/api-key.ts';
import { onRestored } from '../connection.ts';
import type { LiveQuotes } from '../live-quotes.ts';
import { selectionQuery, type Selection } from '../stream/joined-selection.ts';
import { FollowedPaths, type SessionPaths } from './session-paths.ts';

/** A hidden page gets no quotes. After this time, the paths lack steps. In milliseconds. */
const hiddenMsMax = 60_000;

/**
 * The paths of a selection, while the component is mounted. They stay when the view or its columns change.
 */
export function useSessionPaths(selection: Selection, live: LiveQuotes | undefined): SessionPaths {
  const key = usableKey.value;
  const query = selectionQuery(selection);
  const paths = useMemo(() => new FollowedPaths(query), [query, key]);
  useEffect(() => {
    if (live === undefined) return undefined;
    return effect(() => {
      void live.moment.value;
      const rows = live.rows();
      untracked(() => paths.extend(rows));
    });
  }, [live, paths]);
  useEffect(() => onRestored(() => paths.reload()), [paths]);
  useEffect(() => {
    let hiddenAt: number | undefined;
    const onChange = () => {
      const now = performance.now();
      if (hiddenAt !== undefined && now - hiddenAt > hiddenMsMax) paths.reload();
      hiddenAt = document.visibilityState === 'hidden' ? now : undefined;
    };
    document.addEventListener('visibilitychange', onChange);
    return () => {
      document.removeEventListener('visibilitychange', onChange);
      paths[Symbol.dispose]();
    };
  }, [paths]);
  return paths;
}
