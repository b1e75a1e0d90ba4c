import { useEffect } from 'preact/hooks';

/** Names the page in the browser's tab and history: `LID: Panel líder · Pizarra`. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Pizarra`;
  }, [title]);
}
