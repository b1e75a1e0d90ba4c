import { defaultConvention } from '../../../src/domain/bonds/conventions.ts';
import type { ConventionName } from '../market/api/quote.ts';
import { readConvention } from '../market/facts/conventions.ts';
import { storedValue } from '../ui/stored-value.ts';
import { replaceRoute } from './location.ts';
import type { Route } from './route.ts';

/** The convention that the person chose last. The browser stores it. */
const chosen = storedValue<ConventionName>({
  name: 'pizarra.convencion',
  initial: defaultConvention,
  read: readConvention,
});

/** A place whose address may name a convention. */
type BondPlace = Extract<Route, { readonly convention?: ConventionName }>;

/** The convention of a place: that of its address or, if it names none, the one that was chosen last. */
export function conventionOf({ convention }: Pick<BondPlace, 'convention'>): ConventionName {
  return convention ?? chosen.value;
}

/** Counts by a convention from now on. The address names it, so a link shows the same figures. */
export function chooseConvention(place: BondPlace, convention: ConventionName): void {
  chosen.value = convention;
  replaceRoute({ ...place, convention });
}
