import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** The title of the page that is shown. */
export const pageTitle = signal('Pizarra');

/** What the tab says before the title of its page, so that it is seen from another tab. Empty for nothing. */
export const titleNotice = signal('');

effect(() => {
  document.title = [titleNotice.value, pageTitle.value].filter((part) => part !== '').join(' · ');
});

/** Sets the title of the page for the tab and the history: `LID: Panel líder · Pizarra`. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    pageTitle.value = `${title} · Pizarra`;
  }, [title]);
}
