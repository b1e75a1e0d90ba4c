import { useSignal, type Signal } from '@preact/signals';

import { nextPlace } from './next-place.ts';

/** The ticker of the link that an event is in, or of the row or card around it. */
export function tickerAt(target: EventTarget | null): string | undefined {
  if (!(target instanceof Element)) return undefined;
  const item = target.closest<HTMLElement>('[data-ticker], tr, li');
  return (item?.querySelector<HTMLElement>('[data-ticker]') ?? item)?.dataset['ticker'];
}

/** The only link of a frame that the Tab key reaches: the one that had the focus last, or the first. */
export function stopAmong(
  tickers: readonly string[],
  { value: focused }: Signal<string | undefined>,
): string | undefined {
  return focused !== undefined && tickers.includes(focused) ? focused : tickers[0];
}

/**
 * The ticker that had the focus last in a frame of links with `data-ticker`, and the handlers of the frame: the arrow
 * keys move the focus to the next link in their direction.
 */
export function useArrowKeys() {
  const focused = useSignal<string | undefined>(undefined);
  const onFocusIn = ({ target }: FocusEvent) => {
    focused.value = tickerAt(target);
  };
  return { focused, frame: { onFocusIn, onKeyDown: moveFocus } };
}

function moveFocus(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a[data-ticker]')];
  const rects = links.map((link) => {
    const { ticker = '' } = link.dataset;
    return [ticker, (link.closest('li') ?? link).getBoundingClientRect()] as const;
  });
  const next = nextPlace(new Map(rects), tickerAt(event.target) ?? '', event.key);
  if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  links.find(({ dataset }) => dataset['ticker'] === next)?.focus();
}
