import { familyCodes, yieldKinds, type Family, type YieldKind } from './families.ts';

/** The choices of the families that are shown together. */
export const kindChoices: readonly {
  readonly value: 'todas' | YieldKind;
  readonly name: string;
  readonly meaning?: string;
}[] = [
  { value: 'todas', name: 'Todas' },
  { value: 'dolares', name: 'En dólares' },
  { value: 'real', name: 'Real', meaning: 'Por encima del CER o de la UVA' },
  { value: 'pesos', name: 'En pesos' },
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
