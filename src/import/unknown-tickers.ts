import { ImportRefusal } from './import-refusal.ts';
import { usSuffix, withSuffix } from './naming.ts';
import type { NameRules } from './naming.ts';

/** Names that a refusal shows. */
const namesShownMax = 5;

/** What the instruments of a table are named by: this decides which option can help. */
export type NamedBy = 'file' | 'rows' | 'headings';

/**
 * The refusal of a table none of whose instruments the universe has. It names only options that help
 * with this very table.
 */
export function unknownTickers(
  names: readonly string[],
  namedBy: NamedBy,
  rules: NameRules,
): ImportRefusal {
  const shown = names.slice(0, namesShownMax).join(', ');
  const more = names.length > namesShownMax ? ', …' : '';
  const message = `unknown ticker ${shown}${more}; ${adviceFor(names, namedBy, rules)}`;
  return new ImportRefusal('unknown-ticker', message);
}

function adviceFor(names: readonly string[], namedBy: NamedBy, rules: NameRules): string {
  const suffixes = helpfulSuffixes(names, rules).map((suffix) => `--suffix ${suffix || '""'}`);
  const isOne = names.length === 1;
  const options = isOne ? ['--ticker', ...suffixes] : suffixes;
  if (options.length > 0) return `name the instrument with ${options.join(' or ')}`;
  return namedBy === 'headings'
    ? 'name one column with --column and its instrument with --ticker'
    : 'add them to the universe, or import the rows of each with --ticker from a file of their own';
}

/** The suffixes, other than the one that was given, with which the universe has one of the names. */
function helpfulSuffixes(
  names: readonly string[],
  { universe, naming, suffix }: NameRules,
): readonly string[] {
  if (naming === 'canonical') return [];
  return ['', usSuffix].filter(
    (one) =>
      one !== suffix && names.some((name) => universe.find(withSuffix(name, one)) !== undefined),
  );
}
