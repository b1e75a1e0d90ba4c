import type { PanelCode } from '../instruments/panel.ts';

/**
 * A client error as a value of a closed union. `src/wire/texts/error-texts.ts` maps each to its status
 * and its Spanish text.
 */
export type Problem =
  | { readonly type: 'selection-missing' }
  | { readonly type: 'panel-unknown'; readonly value: string; readonly valid: readonly PanelCode[] }
  | {
      readonly type: 'panel-missing';
      readonly path: string;
      readonly valid: readonly PanelCode[];
    }
  | { readonly type: 'panel-repeated' }
  | { readonly type: 'field-unknown'; readonly value: string; readonly valid: readonly string[] }
  | { readonly type: 'parameter-missing'; readonly parameter: string; readonly path: string }
  | { readonly type: 'parameter-repeated'; readonly parameter: string }
  | { readonly type: 'parameter-malformed'; readonly parameter: string; readonly value: string }
  | {
      readonly type: 'value-unknown';
      readonly parameter: string;
      readonly value: string;
      readonly valid: readonly string[];
    }
  | { readonly type: 'year-malformed'; readonly parameter: string; readonly value: string }
  | { readonly type: 'date-malformed'; readonly parameter: string; readonly value: string }
  | { readonly type: 'instant-malformed'; readonly parameter: string; readonly value: string }
  | { readonly type: 'instant-without-sign'; readonly parameter: string; readonly value: string }
  | {
      readonly type: 'instant-to-come';
      readonly parameter: string;
      readonly value: string;
      readonly now: string;
    }
  | { readonly type: 'subject-not-single'; readonly path: string }
  | {
      readonly type: 'integer-malformed';
      readonly parameter: string;
      readonly value: string;
      readonly min: number;
      readonly max: number;
    }
  | { readonly type: 'range-reversed'; readonly from: string; readonly to: string }
  | {
      readonly type: 'tickers-too-many';
      readonly parameter: string;
      readonly count: number;
      readonly max: number;
    }
  | { readonly type: 'search-empty' }
  | { readonly type: 'search-too-long'; readonly count: number; readonly max: number }
  | { readonly type: 'price-malformed'; readonly value: string }
  | { readonly type: 'price-not-single' }
  | {
      readonly type: 'ticker-not-single';
      readonly parameter: string;
      readonly value: string;
      readonly path: string;
    }
  | {
      readonly type: 'parameter-of-other-form';
      readonly parameter: string;
      readonly form: string;
      readonly instead: string;
    }
  | { readonly type: 'parameter-not-streamed'; readonly parameter: string }
  | { readonly type: 'rows-too-many'; readonly count: number; readonly max: number }
  | { readonly type: 'cells-too-many'; readonly count: number; readonly max: number };

/** The result of parsing client input: a value or a problem. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | Refused;

/** Client input that has a problem. */
export interface Refused {
  readonly ok: false;
  readonly problem: Problem;
}

/** The result of parsing input that has a problem. */
export function refused(problem: Problem): Refused {
  return { ok: false, problem };
}
