import type { Browser } from 'playwright-core';

import type { Demonstration } from '../../../test/web/browser/demonstration.ts';

/** What the bars are measured on: a real browser, and the program with its demonstration. */
export interface Ground {
  readonly browser: Browser;
  readonly demo: Demonstration;
  /** How long the case of the heap lasts, in minutes. */
  readonly heapMinutes: number;
}

/** One measured figure beside its aim. */
export interface Figure {
  readonly what: string;
  readonly today: string;
  readonly aim: string;
  /** Whether the aim is met. Undefined for a figure without an aim. */
  readonly isMet?: boolean;
}

/** A case: one line of the table of aims, or several that are measured together. */
export interface Bar {
  readonly name: string;
  readonly measure: (ground: Ground) => Promise<readonly Figure[]>;
}
