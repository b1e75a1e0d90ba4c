import type { Doubt, MoveName } from '../domain/history/judge/judgement.ts';
import type { SetAsideBase } from '../domain/quotes/set-aside-base.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';

/** What the judge decided about a live price or about a close that it contradicts. For reports. */
export type JudgedPrice =
  /** A price moved too far within its session, and waits for others that agree. */
  | (Judged & { readonly type: 'held'; readonly reason: Doubt })
  /** Other prices agreed, so a move beyond the bound is shown. */
  | (Judged & { readonly type: 'confirmed'; readonly move: MoveName })
  /** A price that waited was not confirmed, or a field of an update is beyond the bound. */
  | (Judged & { readonly type: 'dropped' })
  /** Prices contradict a stored close, which is not compared with any more. */
  | (OfClose & { readonly type: 'set-aside'; readonly move: MoveName })
  /**
   * A close that was set aside is compared with again: it has changed, the session agrees with it again, or the
   * operator has confirmed it.
   */
  | (OfClose & { readonly type: 'restored' });

interface Judged {
  readonly ticker: Ticker;
  readonly price: number;
  /** The last believed price, on the basis of the session. */
  readonly believed: number;
  readonly source?: string | undefined;
}

interface OfClose {
  readonly ticker: Ticker;
  readonly mark: SetAsideBase;
}
