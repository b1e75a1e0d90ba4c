import { useEffect, useRef } from 'preact/hooks';

import { isFirstLookOver } from '../market/health-watch.ts';
import type { Route } from '../places/route.ts';
import { OutageBanner } from './outage-banner.tsx';
import { SimulatedBanner } from './simulated-banner.tsx';
import { QuoteStrip } from './strip/quote-strip.tsx';
import { TopBar } from './top-bar.tsx';

/**
 * What stays at the top of every page. Its height depends on the banners and the strip. The styles read it
 * as `--top`, for what stays in view below it.
 */
export function PageTop({ page }: { readonly page: Route['page'] }) {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current: element } = top;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      document.documentElement.style.setProperty('--top', `${element.offsetHeight}px`);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div class={isFirstLookOver.value ? 'top' : 'top is-waiting'} ref={top}>
      <SimulatedBanner />
      <OutageBanner />
      <TopBar page={page} />
      <QuoteStrip />
    </div>
  );
}
