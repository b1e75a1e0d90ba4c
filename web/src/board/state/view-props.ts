import type { ReadonlySignal, Signal } from '@preact/signals';

import type { LiveQuotes } from '../../market/live-quotes.ts';
import type { BoardPlace } from '../../places/route.ts';
import type { SideFacts } from './side-facts.ts';

/** What each view of a board receives. */
export interface ViewProps {
  readonly place: BoardPlace;
  /** The name of the panel or list. */
  readonly name: string;
  readonly live: LiveQuotes;
  readonly sideFacts: SideFacts;
  /** The tickers on the board, in order. */
  readonly shown: ReadonlySignal<readonly string[]>;
  /** The ticker of the row that had the focus or a click last. */
  readonly chosen: Signal<string | undefined>;
}
