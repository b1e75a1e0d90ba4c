import { familyCodes, yieldKinds, type Family, type YieldKind } from './families.ts';

/** The choices of the families that are shown together. */
export const kindChoices: readonly {
  readonly value: 'todas' | YieldKind;
  readonly name: string;
  readonly meaning?: string;
}[] = [
  { value: 'dolares', name: 'En dólares' },
  { value: 'real', name: 'Real', meaning: 'Por encima del CER o de la UVA' },
  { value: 'pesos', name: 'En pesos' },
  { value: 'todas', name: 'Todas' },
];

/** The families that a choice hides. */
export function hiddenFor(kind: 'todas' | YieldKind): ReadonlySet<Family> {
  if (kind === 'todas') return new Set();
  const shown: readonly Family[] = yieldKinds[kind];
  return new Set(familyCodes.filter((code) => !shown.includes(code)));
}

/** The choice that hides exactly these families. Undefined if the user has hidden others. */
export function chosenKind(hidden: ReadonlySet<Family>): 'todas' | YieldKind | undefined {
  return kindChoices.find(({ value }) => hiddenFor(value).symmetricDifference(hidden).size === 0)
    ?.value;
}

/** Points in groups whose yields are comparable, each with its name. */
export function byKind<Point extends { readonly family: Family }>(
  points: readonly Point[],
): readonly { readonly name: string; readonly points: readonly Point[] }[] {
  const known = kindChoices.flatMap(({ value, name }) => {
    if (value === 'todas') return [];
    const families: readonly Family[] = yieldKinds[value];
    return [{ name, families }];
  });
  const groups = known.map(({ name, families }) => ({
    name,
    points: points.filter(({ family }) => families.includes(family)),
  }));
  const others = points.filter(({ family }) => !known.some((one) => one.families.includes(family)));
  return [...groups, { name: 'Otros', points: others }].filter((one) => one.points.length > 0);
}
