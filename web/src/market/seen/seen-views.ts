import { keepingOf, usableKey } from '../../key/api-key.ts';
import type { InstrumentInfo } from '../api/quote.ts';
import type { SeenRows } from './seen-rows.ts';
import { writeSeen } from './seen-store.ts';

/** What is kept for a time without a network. */
export interface SeenView {
  /** Identifies it among what was seen. */
  readonly name: string;
  /** What it shows. Undefined while it has nothing of this visit. The same object is stored once. */
  readonly read: () => SeenRows | readonly InstrumentInfo[] | undefined;
}

/** Interval between two times at which the rows of the views are stored, in milliseconds. */
const intervalMs = 5_000;

/** Pause before the first time, so that it does not delay the first view, in milliseconds. */
const firstMs = 2_000;

/** The views, each with the key that it has its rows from. */
type KeptView = SeenView & { readonly key: string | undefined };

const views = new Set<KeptView>();
const stored = new Map<string, unknown>();

/** Keeps what a view shows, and as it was left. The returned function ends it. */
export function keepView(view: SeenView): () => void {
  const kept = { ...view, key: usableKey.peek() };
  views.add(kept);
  return () => {
    views.delete(kept);
    store(kept);
  };
}

/**
 * Whether the rows of a key may be kept: the person still has it, and lets the browser remember it. Who does not, as on
 * the machine of somebody else, leaves nothing behind.
 */
function mayKeep(key: string | undefined): boolean {
  const isInUse = key !== undefined && key === usableKey.peek();
  return isInUse && keepingOf() !== 'page' && 'serviceWorker' in navigator;
}

/** Stores the rows of all views from now on. */
export function keepViews(): void {
  setTimeout(storeAll, firstMs);
  setInterval(storeAll, intervalMs);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') storeAll();
  });
}

function storeAll(): void {
  for (const view of views) store(view);
}

function store({ name, read, key }: KeptView): void {
  const value = mayKeep(key) ? read() : undefined;
  if (value === undefined || value === stored.get(name)) return;
  stored.set(name, value);
  void writeSeen(name, value);
}
