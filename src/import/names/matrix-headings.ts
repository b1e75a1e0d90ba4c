import type { Instrument } from '../../domain/instruments/instrument.ts';
import { canMature } from '../../domain/instruments/maturity.ts';
import { ImportRefusal, optionText } from '../refusals/import-refusal.ts';
import {
  describeUnclear,
  isUnclear,
  resolveName,
  suffixesFor,
  usSuffix,
  type NameRules,
  type UnclearName,
} from './naming.ts';
import { TableNames } from './ticker-doubt.ts';

/** The instruments of a matrix's columns, and the columns that have none. */
interface HeadingResolution {
  readonly known: ReadonlyMap<string, Instrument>;
  readonly unknown: readonly string[];
  /** The refusal of each column whose name may be a word. */
  readonly doubtful: readonly ImportRefusal[];
}

/** The market that all columns of a matrix are of. */
type Side = 'local' | 'us';

/**
 * Resolves the headings of a matrix. A matrix is of one market. A heading that may be a local or a
 * US instrument is resolved by the headings that can be only one of the two, if these all agree. A
 * heading without an instrument on that market is skipped and reported, and so is a heading that may be
 * a word.
 *
 * @param all all headings of the table. The operator may have chosen one of them.
 * @throws {ImportRefusal} `ambiguous` when no heading decides, the headings disagree, or only headings that
 *   may be words have an instrument.
 */
export function resolveHeadings(
  headings: readonly string[],
  rules: NameRules,
  all: readonly string[] = headings,
): HeadingResolution {
  const known = new Map<string, Instrument>();
  const unknown: string[] = [];
  const unclear: UnclearName[] = [];
  const doubtful: string[] = [];
  const names = new TableNames(all, 'heading', rules);
  const take = (heading: string, instrument: Instrument) => {
    if (names.isDoubtful(heading, instrument)) doubtful.push(heading);
    else known.set(heading, instrument);
  };
  for (const heading of headings) {
    const resolution = resolveName(heading, rules);
    if (isUnclear(resolution)) unclear.push({ ...resolution, name: heading });
    else if (resolution === undefined) unknown.push(heading);
    else take(heading, resolution);
  }
  refuseWrongSuffix(unknown, [...known.keys()], rules);
  const sides = new Set([...known.values()].flatMap((instrument) => sideOf(instrument) ?? []));
  const [side] = sides;
  if (side === undefined || sides.size > 1) {
    const clear = unclear.filter((one) => !names.mayBeWord(one.name, one));
    const [only] = clear;
    // A heading alone is as likely a word as the ticker of a US share.
    if (only !== undefined && only.local === undefined && all.length === 1) {
      throw names.refusal([only.name]);
    }
    if (clear.length > 0) throw unclearHeadings(clear);
    doubtful.push(...unclear.map(({ name }) => name));
  } else {
    for (const { name, [side]: instrument } of unclear) {
      if (instrument === undefined) unknown.push(name);
      else take(name, instrument);
    }
  }
  if (doubtful.length > 0 && known.size === 0) {
    throw names.refusal(doubtful, all.length > 1 ? headings : []);
  }
  return { known, unknown, doubtful: doubtful.map((name) => names.refusal([name], [name])) };
}

/** The market that an instrument indicates. An index or a rate indicates none. */
function sideOf({ ticker, kind }: Instrument): Side | undefined {
  if (ticker.endsWith(usSuffix)) return 'us';
  return kind === 'share' || kind === 'cedear' || canMature(kind) ? 'local' : undefined;
}

function unclearHeadings(unclear: readonly UnclearName[]): ImportRefusal {
  // The best example is a name that exists in the universe on both markets.
  const example = unclear.find(({ local, us }) => local !== undefined && us !== undefined);
  const [shown] = example === undefined ? unclear : [example];
  const what = shown === undefined ? '' : `the column ${shown.name} ${describeUnclear(shown)}`;
  return new ImportRefusal('ambiguous', `${what}, and no other column decides`, {
    kind: 'confirm-market',
    suggestions: suffixesFor(unclear),
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
      kind: 'leave-out-suffix',
      suggestions: [{ suffix: null }, ...known.map((column) => ({ column }))],
    },
  );
}
