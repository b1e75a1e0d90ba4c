import type { ReadonlySignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { entry, remember } from '../../places/location.ts';

/** Time without a change after which the position of a view is remembered, in milliseconds. */
const rememberAfterMs = 100;

/**
 * A view that the visitor comes back to is scrolled as it was left, as soon as it has the instruments: a
 * filter finds names only when they are loaded.
 *
 * @param count of the instruments that the view has.
 * @param chosen the instrument that an address names. It is scrolled into view if the view was not seen yet.
 */
export function useKeptScroll(
  count: number,
  chosen?: ReadonlySignal<string | undefined>,
): { readonly frame: RefObject<HTMLDivElement | null>; readonly onScroll: () => void } {
  const frame = useRef<HTMLDivElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const wanted = useRef(entry().scrollTop);
  const named = useRef(wanted.current === undefined ? chosen?.peek() : undefined);
  useLayoutEffect(() => {
    const { current: view } = frame;
    if (view === null) return;
    const link = linkOf(view, named.current);
    if (link !== null) named.current = undefined;
    link?.closest('tr')?.scrollIntoView({ block: 'center' });
    if (wanted.current === undefined) return;
    view.scrollTo({ top: wanted.current });
    if (view.scrollTop >= wanted.current - 1) wanted.current = undefined;
  }, [count]);
  useLayoutEffect(() => () => clearTimeout(timer.current), []);
  const onScroll = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (wanted.current !== undefined && isAtEnd(frame.current)) return;
      wanted.current = undefined;
      remember({ ...entry(), scrollTop: frame.current?.scrollTop ?? 0 });
    }, rememberAfterMs);
  };
  return { frame, onScroll };
}

/** The link of an instrument within a view. */
export function linkOf(within: ParentNode, ticker: string | undefined): HTMLElement | null {
  return within.querySelector(`a[data-ticker="${CSS.escape(ticker ?? '')}"]`);
}

function isAtEnd(view: HTMLElement | null): boolean {
  return view !== null && view.scrollTop + view.clientHeight >= view.scrollHeight - 1;
}
