import { labelOf, type FeedTallies } from '../../../src/pipeline/live/feed-state.ts';
import type { StandIns } from './stand-ins.ts';
import type { Trouble } from './trouble.ts';
import { sourceNames } from './true-market.ts';
import type { WithheldPrices } from './withheld.ts';

/** What a run of a session has shown. */
export interface SessionRun {
  readonly seed: number;
  readonly seconds: number;
  readonly wrong: readonly string[];
  readonly bars: number;
  /** Of each source: the seconds in which it gave a price, of all instruments together. */
  readonly secondsOf: ReadonlyMap<string, number>;
  readonly standIns: StandIns;
  readonly trouble: Trouble;
  readonly withheld: WithheldPrices;
  readonly tallies: FeedTallies;
  readonly judged: ReadonlyMap<string, number>;
  /** How much memory grew in the second half, in MiB. */
  readonly growthMiB: number;
}

/** A run as a table. */
export function describeRun(run: SessionRun): readonly string[] {
  const { standIns, trouble, withheld, judged, tallies } = run;
  const refused = sourceNames.map(
    (name) => tallies.of(name).updates.get(labelOf({ refused: 'implausible' })) ?? 0,
  );
  const cut = sourceNames.map((name) => tallies.of(name).updates.get('range-refused') ?? 0);
  const of = (decision: string): number => judged.get(decision) ?? 0;
  const rows: readonly (readonly [string, string | number])[] = [
    ['seed', run.seed],
    ['seconds compared', run.seconds],
    ['MiB grown', run.growthMiB.toFixed(1)],
    ['wrong', run.wrong.length],
    ['bars compared', run.bars],
    ['slips sent', standIns.slips],
    ['symbols sent twice', standIns.twice],
    ['held', of('held')],
    ['confirmed', of('confirmed')],
    ['dropped', of('dropped')],
    ['refused against a close', sum(refused)],
    ['updates without a part of their range', sum(cut)],
    ['closes set aside', of('set-aside')],
    ['failed requests', [...trouble.met].map(([kind, times]) => `${kind} ${times}`).join(', ')],
    ['true prices of the source in use', withheld.came],
    ...(['base', 'jump', 'other'] as const).map((reason) => {
      const seconds = withheld.done
        .filter((one) => one.reason === reason)
        .map(({ ms }) => ms / 1_000);
      return [`withheld (${reason})`, spread(seconds)] as const;
    }),
    ['still withheld at the end', withheld.waiting.join(', ') || 'none'],
    ...[...run.secondsOf]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([name, seconds]) => [`seconds of ${name}`, seconds] as const),
  ];
  return rows.map(([name, value]) => `${name.padEnd(40)} ${value}`);
}

function spread(seconds: readonly number[]): string {
  const sorted = seconds.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  if (median === undefined) return 'none';
  return `${sorted.length}, median ${median.toFixed(0)} s, longest ${sorted.at(-1)?.toFixed(0)} s`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
