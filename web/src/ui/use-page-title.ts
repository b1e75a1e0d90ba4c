import { useEffect } from 'preact/hooks';

/** Sets the title of the page for the tab and the history: `LID: Panel líder · Pizarra`. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Pizarra`;
  }, [title]);
}
