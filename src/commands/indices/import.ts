import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { indexNames } from '../../domain/indices/index-name.ts';
import { IndexSeries } from '../../domain/indices/index-series.ts';
import type { IndexValue } from '../../domain/indices/index-value.ts';
import { doubtfulDays } from '../../domain/indices/judge-index.ts';
import { dateFormats } from '../../import/cells/date-format.ts';
import { requireSound } from '../../import/files/records.ts';
import { readIndices } from '../../import/indices/read-indices.ts';
import { formatExactNumber } from '../../lib/numbers/exact-number.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { openExisting } from '../../operator/store/open-existing.ts';
import { command } from '../form/command.ts';

/** Maximum number of suspicious values that are shown. */
const suspiciousShownMax = 20;

/**
 * Stores all values of all files, or none. A running service serves them at once. A dry run changes nothing, and
 * creates nothing if no store exists.
 */
export const importCommand = command({
  name: 'import',
  summary: 'import values from CSV with the columns indice, fecha and valor',
  args: { sources: ['<SOURCE...>', 'files, directories, .zip and .gz, or - for standard input'] },
  flags: {
    decimal: { value: '<SIGN>', text: 'the decimal sign', choices: ['.', ','] },
    dateFormat: { value: '<FORMAT>', text: 'format of the dates', choices: dateFormats },
    dryRun: { text: 'show the result without storing anything' },
    json: { text: 'print the counts as one JSON object' },
  },
  settings: ['store'],
  examples: [
    'pizarra indices import indices.csv       # columns indice, fecha, valor',
    'pizarra indices import --decimal , --dry-run -',
  ],
  async run({ args, flags, findPlace, stdin }) {
    const { dryRun } = flags;
    const read = await readIndices(args.sources, flags, stdin);
    const { values, files } = read;
    requireSound(read);
    const place = await findPlace();
    await using store = dryRun ? await openExisting(place) : await place.open({ mode: 'create' });
    const stored = (await store?.indices.readAll())?.values ?? [];
    const before = new IndexSeries(0, stored);
    const storedOf = ({ index, day }: IndexValue) => before.valueAt(index, day);
    const differing = values.filter((one) => storedOf(one) !== one.value);
    if (!dryRun)
      await store?.indices.apply({ put: differing }, { at: systemClock.now(), origin: 'import' });
    const changed = differing.filter((one) => storedOf(one) !== undefined).length;
    const added = differing.length - changed;
    const same = values.length - differing.length;
    const suspicious = suspiciousOf(before, differing);
    const counts = `added ${added}, changed ${changed}, same ${same}, suspicious ${suspicious.length}`;
    const hidden = suspicious.length - suspiciousShownMax;
    return {
      sections: [
        `${dryRun ? 'Dry run, nothing stored. ' : ''}Files: ${files}. Values: ${counts}.`,
        ...suspicious
          .slice(0, suspiciousShownMax)
          .map(
            ({ index, day, value }) =>
              `suspicious  ${index} ${fromEpochDay(day)}: ${formatExactNumber(value)} is far from the values around it`,
          ),
        ...(hidden > 0 ? [`and ${hidden} more`] : []),
      ],
      json: {
        files,
        added,
        changed,
        same,
        dryRun,
        suspicious: suspicious.map(({ index, day, value }) => ({
          indice: index,
          fecha: fromEpochDay(day),
          valor: value,
        })),
      },
    };
  },
});

/** The values that contradict those around them, in the order of the indices and days. They are stored all the same. */
function suspiciousOf(before: IndexSeries, offered: readonly IndexValue[]): readonly IndexValue[] {
  return indexNames.flatMap((index) => {
    const own = offered.filter((one) => one.index === index).toSorted((a, b) => a.day - b.day);
    const doubtful = doubtfulDays(index, before.all(index), own);
    return own.filter(({ day }) => doubtful.has(day));
  });
}
