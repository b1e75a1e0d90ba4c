import type { CorporateAction } from '../corporate-action.ts';
import type { InstrumentKind } from '../../instruments/instrument.ts';
import type { BarOfDay } from './bar-contradiction.ts';
import { judge } from './judge.ts';
import type { Judgement } from './judgement.ts';
import type { Witness } from './witness.ts';

/** A bar of a series with what the judge says about it. */
export interface JudgedBar<B extends BarOfDay> {
  readonly bar: B;
  readonly judgement: Judgement;
  /** The last believed bar before it. */
  readonly before: BarOfDay | undefined;
}

/**
 * Judges each bar of a series by the last believed bar before it and the bars after it.
 *
 * @param bars ascending by day, as traded
 */
export function* judgeSeries<B extends BarOfDay>(
  bars: readonly B[],
  context: {
    readonly kind: InstrumentKind;
    readonly actions: readonly CorporateAction[];
    /** What other sources give for a day. By default there are no other sources. */
    readonly witnessesOf?: (bar: B) => {
      readonly report: Witness;
      readonly witnesses: readonly Witness[];
    };
  },
): Generator<JudgedBar<B>, void> {
  const { kind, actions, witnessesOf } = context;
  let before: BarOfDay | undefined;
  for (const [index, bar] of bars.entries()) {
    const after = bars.slice(index + 1, index + 3);
    const heard = witnessesOf?.(bar);
    const candidate = heard === undefined ? bar : { ...bar, report: heard.report };
    const judgement = judge(candidate, {
      kind,
      actions,
      before,
      after,
      ...(heard !== undefined && { witnesses: heard.witnesses }),
    });
    yield { bar, judgement, before };
    if (judgement.verdict === 'believed') before = bar;
  }
}
