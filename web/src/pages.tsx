import type { Route } from './places/route.ts';
import { lazy, type LazyComponent } from './ui/lazy.tsx';

// The board is part of the first download. The code of the other pages is loaded when they are opened.

export const AlertsPage = lazy(async () => (await import('./alerts/alerts-page.tsx')).AlertsPage);

export const DollarsPage = lazy(
  async () => (await import('./dollars/dollars-page.tsx')).DollarsPage,
);

export const InstrumentPage = lazy(
  async () => (await import('./instrument/instrument-page.tsx')).InstrumentPage,
);

export const ApiPage = lazy(async () => (await import('./api/api-page.tsx')).ApiPage);

/** The watch of the alerts and their notices. A browser without alerts does not load it. */
export const NoticeList = lazy(
  async () => (await import('./alerts/notice-list.tsx')).NoticeList,
  null,
);

const byPage: Readonly<Partial<Record<Route['page'], Pick<LazyComponent<never>, 'load'>>>> = {
  alerts: AlertsPage,
  dollars: DollarsPage,
  instrument: InstrumentPage,
  api: ApiPage,
};

/** Loads the code of the page of a route, before it is shown. */
export function loadPage({ page }: Route): void {
  void byPage[page]?.load();
}
