import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import type { InstrumentKind } from '../../domain/instruments/instrument.ts';
import { judgeSeries } from '../../domain/history/judge/judge.ts';
import type { Doubt, Impossible, MoveName } from '../../domain/history/judge/judgement.ts';
import type { Witness } from '../../domain/history/judge/witness.ts';
import type { FetchDecision } from '../../domain/history/offered-close.ts';
import { fromEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';

/** A move to a close that is believed, although it looks like that of a split or of another unit. */
interface UnusualMove {
  readonly day: EpochDay;
  readonly close: number;
  /** The last believed close before it. */
  readonly previous: { readonly day: EpochDay; readonly close: number };
  readonly name: Exclude<MoveName, 'jump'>;
}

/** An unusual move of an instrument that is stored. */
export interface StoredMove extends UnusualMove {
  readonly ticker: Ticker;
}

/** A move as a text: `GGAL 2026-11-18: 10.2, after 101 on 2026-11-17`. */
export function formatMove({ ticker, day, close, previous }: StoredMove): string {
  const before = `${previous.close} on ${fromEpochDay(previous.day)}`;
  return `${ticker} ${fromEpochDay(day)}: ${close}, after ${before}`;
}

/** What the judge says about the closes that a source is about to change. */
export interface JudgedOffers {
  /** The days whose closes are not believed. */
  readonly doubted: ReadonlyMap<EpochDay, Doubt | Impossible>;
  readonly moves: readonly UnusualMove[];
}

/**
 * Judges the closes that a source is about to change. They are judged in the series that would be stored:
 * the neighbours are the offered closes together with the stored ones.
 *
 * @param stored ascending by day, around and between the offered ones
 * @param context.witnessesOf other sources that have given a close for the day
 */
export function judgeOffers(
  stored: readonly DailyClose[],
  decisions: readonly FetchDecision[],
  context: {
    readonly kind: InstrumentKind;
    readonly actions: readonly CorporateAction[];
    readonly witnessesOf: (decision: FetchDecision) => readonly Witness[];
  },
): JudgedOffers {
  const { kind, actions, witnessesOf } = context;
  const offers = new Map(
    decisions.flatMap((one) => (one.result === undefined ? [] : [[one.offered.day, one] as const])),
  );
  if (offers.size === 0) return { doubted: new Map(), moves: [] };
  const byDay = new Map(stored.map((close) => [close.day, close]));
  for (const [day, { result }] of offers) if (result !== undefined) byDay.set(day, result);
  const bars = [...byDay.values()].sort((a, b) => a.day - b.day);
  const doubted = new Map<EpochDay, Doubt | Impossible>();
  const moves: UnusualMove[] = [];
  const judged = judgeSeries(bars, {
    kind,
    actions,
    witnessesOf: (bar) => {
      const offer = offers.get(bar.day);
      return {
        // All reports are of the end of the same day.
        report: { price: bar.close, at: 0, source: bar.source },
        witnesses: offer === undefined ? [] : witnessesOf(offer),
      };
    },
  });
  for (const { bar, judgement, before } of judged) {
    const { day, close } = bar;
    if (!offers.has(day)) continue;
    if (judgement.verdict !== 'believed') doubted.set(day, judgement.reason);
    else if (before !== undefined && judgement.move !== undefined && judgement.move !== 'jump') {
      const previous = { day: before.day, close: before.close };
      moves.push({ day, close, previous, name: judgement.move });
    }
  }
  return { doubted, moves };
}
