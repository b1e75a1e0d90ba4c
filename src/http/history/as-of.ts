import type { Instrument } from '../../domain/instruments/instrument.ts';
import { refused, type Problem, type Refused } from '../../domain/values/problem.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { instantText } from '../../lib/time/instant-text.ts';
import type { TableFormat } from '../../contract/table-format.ts';
import type { RowsOrProblem, ResponseSource } from '../answers/answers.ts';
import type { HistoryRevisions } from '../../store/contract/history-store.ts';
import type { Sliced } from '../answers/read-queue.ts';
import type { KnownSources } from './known-sources.ts';

/** What a request as of an instant is about, and how its rows are read. */
interface KnownRequest {
  /** In epoch milliseconds. */
  readonly knownAt: number;
  readonly instruments: readonly Instrument[];
  /** The problem of a request for more than is allowed. Absent where nothing is limited. */
  readonly tooMany?: () => Sliced<Refused | undefined>;
  /** @param instruments those of the request, or none if the instant is before what is kept */
  readonly read: (instruments: readonly Instrument[], format: TableFormat) => Sliced<RowsOrProblem>;
}

/**
 * What the service would have answered at an instant, with the fields that every such response has (contract 4.18).
 *
 * What was known at a past instant does not change. But a change is visible a moment after its instant, so a response
 * may lack a change of the moments before it was read. Therefore it is read again after each change of its
 * instruments.
 */
export function asOf(
  { knownAt, instruments, tooMany, read }: KnownRequest,
  {
    sources,
    revisions,
    clock,
  }: {
    readonly sources: KnownSources;
    readonly revisions: HistoryRevisions;
    readonly clock: Clock;
  },
): ResponseSource {
  const toCome = () => instantToCome(knownAt, clock.now());
  return {
    madeOf: () => [toCome() && clock.now(), revisions.latest(instruments)],
    answer: (format) => {
      const problem = toCome();
      if (problem !== undefined) return refused(problem);
      return {
        async *read() {
          // To count the rows takes much less than to find since when they are known.
          const refusal = tooMany === undefined ? undefined : yield* tooMany();
          if (refusal !== undefined) return refusal;
          const since = yield* sources.sinceOfAll(instruments);
          const answer = yield* read(knownAt < since ? [] : instruments, format);
          if ('problem' in answer) return answer;
          const fields = ['conocido-desde', instantText(since), ...(answer.fields ?? [])];
          return { ...answer, fields };
        },
      };
    },
  };
}

/** How far an instant may be ahead of the clock of the service: that of the client may be fast. */
export const aheadMsMax = 60_000;

/**
 * The problem of an instant that is to come (contract 4.18.3). What will be known then is not known, and the
 * response would not stay the same.
 *
 * @param now in epoch milliseconds, as the instant
 */
export function instantToCome(knownAt: number, now: number): Problem | undefined {
  if (knownAt <= now + aheadMsMax) return undefined;
  const [value = '', nowText = ''] = [knownAt, now].map(instantText);
  return { type: 'instant-to-come', parameter: 'conocido', value, now: nowText };
}
