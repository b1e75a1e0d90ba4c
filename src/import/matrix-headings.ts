import type { Instrument, InstrumentKind } from '../domain/instrument.ts';
import { ImportRefusal } from './import-refusal.ts';
import { describeUnclear, resolveName, suffixesFor, usSuffix } from './naming.ts';
import type { NameRules, UnclearName } from './naming.ts';

/** What the columns of a matrix stand for, and those that the universe does not know. */
export interface HeadingResolution {
  readonly known: ReadonlyMap<string, Instrument>;
  readonly unknown: readonly string[];
}

/** Which market a matrix is of. */
type Side = 'local' | 'us';

/** What is bought on a local market and, under the same name, on one of the US. */
const securities: ReadonlySet<InstrumentKind> = new Set<InstrumentKind>([
  'share',
  'cedear',
  'bond',
  'corporate-bond',
  'bill',
]);

/**
 * What the headings of one matrix stand for. A matrix is of one market: where a heading may be a
 * local instrument or a US one, the headings that can be only one of the two tell which, as long as
 * all tell the same. A heading that has no instrument on that market is left out and named.
 *
 * @throws {ImportRefusal} `ambiguous` when no heading tells, or they do not tell the same.
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
  refuseWrongSuffix(unknown, rules);
  if (unclear.length === 0) return { known, unknown };
  const sides = new Set([...known.values()].flatMap((instrument) => sideOf(instrument) ?? []));
  const [side] = sides;
  if (side === undefined || sides.size > 1) throw unclearHeadings(unclear);
  for (const one of unclear) {
    const instrument = one[side];
    if (instrument === undefined) unknown.push(one.name);
    else known.set(one.name, instrument);
  }
  return { known, unknown };
}

/** The market that a heading which stands for one instrument tells; an index or a rate tells none. */
function sideOf({ ticker, kind }: Instrument): Side | undefined {
  if (ticker.endsWith(usSuffix)) return 'us';
  return securities.has(kind) ? 'local' : undefined;
}

function unclearHeadings(unclear: readonly UnclearName[]): ImportRefusal {
  // The clearest example is a name that the universe has on both markets.
  const example = unclear.find(({ local, us }) => local !== undefined && us !== undefined);
  const shown = example ?? unclear[0];
  const what = shown === undefined ? '' : `the column ${shown.name} ${describeUnclear(shown)}`;
  const message = `${what}, and no column tells which; if the matrix is of one market, say so with`;
  return new ImportRefusal('ambiguous', `${message} ${suffixesFor(unclear)}`);
}

/**
 * A suffix that makes strangers of local shares is not this file's. A CEDEAR is no proof: its name is
 * that of the US share, which the universe may lack.
 */
function refuseWrongSuffix(unknown: readonly string[], { universe, suffix }: NameRules): void {
  if (suffix === undefined) return;
  const wrong = unknown.find((heading) => {
    const kind = universe.find(heading)?.kind;
    return kind !== undefined && kind !== 'cedear';
  });
  if (wrong === undefined) return;
  throw new ImportRefusal(
    'option-mismatch',
    `the column ${wrong} is a ticker without ${suffix} and none with it; leave --suffix out, or ` +
      'take one column with --column',
  );
}
