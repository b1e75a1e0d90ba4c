import type { Page } from 'playwright-core';

/** What moved, and how far: the part of the screen that moved, times the distance as a part of the screen. */
export interface Shift {
  readonly value: number;
  /** Each element that moved, with its places before and after. */
  readonly moved: readonly string[];
}

/** Notes every layout shift of the pages that are loaded from now on. Those after an input count too. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    (globalThis as { shifts?: Shift[] }).shifts = shifts;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as unknown as {
          readonly value: number;
          readonly sources: readonly {
            readonly node: Node | null;
            readonly previousRect: DOMRectReadOnly;
            readonly currentRect: DOMRectReadOnly;
          }[];
        };
        const moved = sources.map(({ node, previousRect: before, currentRect: after }) => {
          const element = node instanceof Element ? node : node?.parentElement;
          const name = `${element?.tagName ?? 'gone'}.${element?.getAttribute('class') ?? ''}`;
          const [from, to] = [before, after].map(
            ({ x, y, width, height }) => `${x},${y} ${width}×${height}`,
          );
          return `${name} ${from} → ${to}`;
        });
        shifts.push({ value, moved });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** The layout shifts of the current page since it was loaded. */
export function shiftsOf(page: Page): Promise<readonly Shift[]> {
  return page.evaluate(() => (globalThis as { shifts?: readonly Shift[] }).shifts ?? []);
}
