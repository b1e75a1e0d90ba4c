/**
 * Why a price is doubtful. Each reason has one name and one text for every way by which a price arrives:
 * reports, logs, metrics and documents use them.
 */
export const doubtTexts = {
  'out-of-range': 'the close is outside its own low and high',
  'wide-range':
    'the open, the high or the low is further from the close than a price of its kind moves',
  'decimal-slip':
    'the price differs by a factor near a power of ten from the prices beside it: another unit, or a lost decimal point',
  'unrecorded-split':
    'the price differs by the factor of a usual split from the price before it, and no corporate action is recorded',
  'far-from-neighbours':
    'the price is further from the prices beside it than a price of its kind moves',
  'repeated-session': 'the price, the range and the volume are those of the session before',
} as const;

/** One of {@link doubtTexts}. */
export type Doubt = keyof typeof doubtTexts;

/** Why a value can never be a price. */
export const impossibleTexts = {
  'not-finite': 'the price is not a finite number',
  'not-positive':
    'the price is zero or negative, and this kind of instrument only has prices above zero',
} as const;

/** One of {@link impossibleTexts}. */
export type Impossible = keyof typeof impossibleTexts;

/** What is remarkable about a move that is believed. An operator should review it. */
export type MoveName = 'jump' | 'decimal-slip' | 'unrecorded-split';

/** What the judge says about one price. */
export type Judgement =
  | {
      readonly verdict: 'believed';
      /** Present if the move from the price before is unusual. */
      readonly move?: MoveName;
      /**
       * Whether witnesses overrule the last believed price, from which this one is too far: one of the
       * two is wrong, and the new one has more support.
       */
      readonly isOverruling?: true;
    }
  | { readonly verdict: 'doubtful'; readonly reason: Doubt }
  | { readonly verdict: 'refused'; readonly reason: Impossible };
