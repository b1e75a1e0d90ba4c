import { ImportRefusal } from '../refusals/import-refusal.ts';
import { foldHeading } from '../layouts/headings.ts';
import type { Reading, SeriesColumns } from '../layouts/layout.ts';

/** A column of corporate actions among those of prices. */
type ActionColumn = 'dividend' | 'split';

/** The headings of each, without the numbers of Alpha Vantage, white space and signs. */
const words: Readonly<Record<ActionColumn, readonly string[]>> = {
  dividend: [
    'dividend',
    'dividends',
    'dividendamount',
    'dividendcash',
    'divcash',
    'cashdividend',
    'cashdividends',
    'exdividend',
    'dividendo',
    'dividendos',
  ],
  split: [
    'split',
    'splits',
    'stocksplit',
    'stocksplits',
    'splitfactor',
    'splitcoefficient',
    'splitratio',
    'desdoblamiento',
    'desdoblamientos',
  ],
};

/** What a heading means, if it is that of a dividend or of a split. */
function actionColumnOf(heading: string): ActionColumn | undefined {
  const word = foldHeading(heading)
    .replace(/^\d+[a-z]?\.\s*/, '')
    .replaceAll(/[\s_-]+/g, '');
  if (words.dividend.includes(word)) return 'dividend';
  return words.split.includes(word) ? 'split' : undefined;
}

/** A reading with its columns of dividends and splits, and their headings. */
interface WithActionColumns<R> {
  readonly reading: R;
  /** As the file has them, each once. */
  readonly headings: readonly string[];
}

/**
 * Finds the columns of dividends and of splits. A layout whose columns are named for each instrument has
 * found them itself; in a matrix, a heading is an instrument.
 *
 * @throws {ImportRefusal} `ambiguous` when they are `wanted` and several columns could be one of them.
 */
export function withActionColumns<R extends Reading>(
  reading: R,
  isWanted: boolean,
): WithActionColumns<R> {
  const { series, unused } = reading;
  const [only, ...others] = series;
  const isOfHeadings = series.some(({ ticker }) => ticker.type === 'heading');
  if (only === undefined || others.length > 0 || isOfHeadings) {
    return { reading, headings: headingsOf(reading) };
  }
  const dividend = onlyColumn('dividend', reading, only, isWanted);
  const split = onlyColumn('split', reading, only, isWanted);
  const columns = {
    ...only,
    ...(dividend !== undefined && { dividend }),
    ...(split !== undefined && { split }),
  };
  const found = { ...reading, series: [columns] };
  const headings = headingsOf(found);
  if (unused === undefined) return { reading: found, headings };
  return {
    reading: { ...found, unused: unused.filter((name) => !headings.includes(name)) },
    headings,
  };
}

function onlyColumn(
  wanted: ActionColumn,
  { header }: Reading,
  { close }: SeriesColumns,
  isWanted: boolean,
): number | undefined {
  const places = header.flatMap((heading, index) =>
    index !== close && actionColumnOf(heading) === wanted ? [index] : [],
  );
  if (places.length < 2) return places[0];
  if (!isWanted) return undefined;
  const names = places.map((index) => `"${header[index] ?? ''}"`).join(' or ');
  throw new ImportRefusal(
    'ambiguous',
    `the ${wanted}s may be in ${names}; remove all but one of these columns`,
  );
}

function headingsOf({ header, series }: Reading): readonly string[] {
  const places = series.flatMap(({ dividend, split }) => [dividend, split]);
  const names = places.flatMap((index) => (index === undefined ? [] : [header[index] ?? '']));
  return [...new Set(names)];
}
