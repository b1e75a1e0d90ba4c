import { ImportRefusal } from './import-refusal.ts';
import { usSuffix, withSuffix } from './naming.ts';
import type { NameRules } from './naming.ts';

/** Maximum number of names in a refusal. */
const namesShownMax = 5;

/**
 * The refusal of a table none of whose instruments is in the universe. It names only options that
 * help with this table.
 *
 * @param areHeadings whether the names are the headings of a matrix.
 */
export function unknownTickers(
  names: readonly string[],
  areHeadings: boolean,
  rules: NameRules,
): ImportRefusal {
  const shown = names.slice(0, namesShownMax).join(', ');
  const more = names.length > namesShownMax ? ', …' : '';
  const message = `unknown ticker ${shown}${more}; ${adviceFor(names, areHeadings, rules)}`;
  return new ImportRefusal('unknown-ticker', message);
}

function adviceFor(names: readonly string[], areHeadings: boolean, rules: NameRules): string {
  const suffixes = helpfulSuffixes(names, rules).map((suffix) => `--suffix ${suffix || '""'}`);
  const isOne = names.length === 1;
  const options = isOne ? ['--ticker', ...suffixes] : suffixes;
  if (options.length > 0) return `specify the instrument with ${options.join(' or ')}`;
  return areHeadings
    ? 'import one column with --column, and specify its instrument with --ticker'
    : 'add them to the universe, or split the file by instrument and import each part with --ticker';
}

/** The suffixes, other than the given one, with which one of the names is in the universe. */
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
