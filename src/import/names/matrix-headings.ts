import type { Instrument, InstrumentKind } from '../../domain/instruments/instrument.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { optionText } from '../refusals/advice.ts';
import { describeUnclear, resolveName, suffixesFor, usSuffix } from './naming.ts';
import type { NameRules, UnclearName } from './naming.ts';

/** The instruments of a matrix's columns, and the columns that have none. */
export interface HeadingResolution {
  readonly known: ReadonlyMap<string, Instrument>;
  readonly unknown: readonly string[];
}

/** The market that all columns of a matrix are of. */
type Side = 'local' | 'us';

/** Kinds that trade on a local market and, under the same name, on a US market. */
const securities: ReadonlySet<InstrumentKind> = new Set<InstrumentKind>([
  'share',
  'cedear',
  'bond',
  'corporate-bond',
  'bill',
]);

/**
 * Resolves the headings of a matrix. A matrix is of one market. A heading that may be a local or a
 * US instrument is resolved by the headings that can be only one of the two, if these all agree. A
 * heading without an instrument on that market is skipped and reported.
 *
 * @throws {ImportRefusal} `ambiguous` when no heading decides, or the headings disagree.
 */
export function resolveHeadings(headings: readonly string[], rules: NameRules): HeadingResolution {
  const known = new Map<string, Instrument>();
  const unknown: string[] = [];
  const unclear: UnclearName[] = [];
  for (const heading of headings) {
    const resolution = resolveName(heading, rules);
    if (resolution.type === 'found') known.set(heading, resolution.instrument);
    else if (resolution.type === 'unclear') unclear.push({ ...resolution, name: heading });
    else unknown.push(heading);
  }
  refuseWrongSuffix(unknown, [...known.keys()], rules);
  const [first] = unclear;
  if (first === undefined) return { known, unknown };
  const sides = new Set([...known.values()].flatMap((instrument) => sideOf(instrument) ?? []));
  const [side] = sides;
  if (side === undefined || sides.size > 1) throw unclearHeadings(first, unclear);
  for (const one of unclear) {
    const instrument = one[side];
    if (instrument === undefined) unknown.push(one.name);
    else known.set(one.name, instrument);
  }
  return { known, unknown };
}

/** The market that an instrument indicates. An index or a rate indicates none. */
function sideOf({ ticker, kind }: Instrument): Side | undefined {
  if (ticker.endsWith(usSuffix)) return 'us';
  return securities.has(kind) ? 'local' : undefined;
}

function unclearHeadings(first: UnclearName, unclear: readonly UnclearName[]): ImportRefusal {
  // The best example is a name that exists in the universe on both markets.
  const example = unclear.find(({ local, us }) => local !== undefined && us !== undefined);
  const shown = example ?? first;
  const what = `the column ${shown.name} ${describeUnclear(shown)}`;
  return new ImportRefusal('ambiguous', `${what}, and no other column decides`, {
    advice: { kind: 'confirm-market', suggestions: suffixesFor(unclear) },
  });
}

/**
 * Refuses a suffix that does not fit the file: with it, the names of local shares become unknown.
 * An unknown CEDEAR is no evidence, because it has the name of the US share, which may be missing.
 */
function refuseWrongSuffix(
  unknown: readonly string[],
  known: readonly string[],
  { universe, suffix }: NameRules,
): void {
  if (suffix === undefined) return;
  const wrong = unknown.find((heading) => {
    const kind = universe.find(heading)?.kind;
    return kind !== undefined && kind !== 'cedear';
  });
  if (wrong === undefined) return;
  throw new ImportRefusal(
    'option-mismatch',
    `the column ${wrong} is a ticker, but not with ${optionText('suffix', suffix)}`,
    {
      advice: {
        kind: 'leave-out-suffix',
        suggestions: [{ suffix: null }, ...known.map((column) => ({ column }))],
      },
    },
  );
}
