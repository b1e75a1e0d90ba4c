import {
  ImportRefusal,
  operatorKnows,
  type Advice,
  type Suggestion,
} from '../refusals/import-refusal.ts';
import { usSuffix, withSuffix, type NameRules } from './naming.ts';

/** Maximum number of names in a refusal. */
const namesShownMax = 5;

/** Maximum number of columns of a matrix that are tried. */
const columnsTriedMax = 20;

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
  const advice = adviceFor(names, areHeadings, rules);
  return new ImportRefusal('unknown-ticker', `unknown ticker ${shown}${more}`, { advice });
}

function adviceFor(names: readonly string[], areHeadings: boolean, rules: NameRules): Advice {
  const suffixes = helpfulSuffixes(names, rules).map((suffix) => ({ suffix }));
  const isOne = names.length === 1;
  const suggestions: readonly Suggestion[] = isOne
    ? [{ ticker: operatorKnows }, ...suffixes]
    : suffixes;
  const otherwise = 'add them to the universe, or import a file of one instrument';
  if (suggestions.length > 0) return { kind: 'name-instrument', suggestions, otherwise };
  return areHeadings
    ? {
        kind: 'import-column',
        suggestions: names
          .slice(0, columnsTriedMax)
          .map((column) => ({ column, ticker: operatorKnows })),
        otherwise,
      }
    : { kind: 'name-instrument', suggestions: [], otherwise };
}

/**
 * The suffixes, other than the given one, with which one of the names is in the universe. Prices of a US
 * exchange are in dollars, so they are not those of an instrument in another currency.
 */
function helpfulSuffixes(
  names: readonly string[],
  { universe, naming, suffix }: NameRules,
): readonly string[] {
  if (naming === 'canonical' || naming === 'yahoo-symbol') return [];
  return ['', usSuffix].filter(
    (one) =>
      one !== suffix &&
      names.some((name) => {
        const instrument = universe.find(withSuffix(name, one));
        return instrument !== undefined && (naming !== 'us' || instrument.currency === 'USD');
      }),
  );
}
