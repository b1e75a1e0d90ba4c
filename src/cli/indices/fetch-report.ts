import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { IndexFetch, IndexFetchProgress } from '../../operator/indices/fetch-indices.ts';
import { formatExactNumber } from '../../operator/indices/stored-indices.ts';

/** Maximum number of values of each kind that are shown. */
const shownMax = 10;

/** The progress of a fetch as one line, without a line end. */
export function fetchProgress({ source, index, waiting }: IndexFetchProgress): string {
  if (waiting === undefined) return `${source}: ${index}`;
  return `${source}: ${index}, waiting ${Math.ceil(waiting.ms / 1_000)} s (${waiting.cause})`;
}

/** The result of a fetch of one index, as lines. */
export function fetchLines(
  one: IndexFetch,
  { acceptDoubtful }: { readonly acceptDoubtful: boolean },
): readonly string[] {
  const { index, source, added, replaced, doubtful, rejected, missing, failed } = one;
  if (failed !== undefined) return [`${index}: not fetched. ${failed}`];
  const counts = [
    `added ${added}`,
    `changed ${replaced.length}`,
    `rejected ${rejected.length}`,
    `missing ${missing}`,
  ].join(', ');
  return [
    `${index} (${source}): ${counts}`,
    ...shown(
      replaced,
      (was) =>
        `changed  ${index} ${fromEpochDay(was.day)}: it was ${formatExactNumber(was.value)} (${was.source})`,
    ),
    ...shown(
      doubtful,
      ({ day, value }) =>
        `doubtful  ${index} ${fromEpochDay(day)}: ${formatExactNumber(value)} contradicts the stored values; ${acceptDoubtful ? 'stored' : 'not stored, unless with --accept-doubtful'}`,
    ),
    ...shown(rejected, ({ reason, sample }) => `rejected  ${index}: ${sample} (${reason})`),
  ];
}

function shown<Value>(values: readonly Value[], line: (value: Value) => string): readonly string[] {
  const lines = values.slice(0, shownMax).map((value) => `  ${line(value)}`);
  const left = values.length - lines.length;
  return left > 0 ? [...lines, `  and ${left} more`] : lines;
}
