import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { packagesName, type ListedPackage } from '../../web/build/notices/names.ts';

/** The fields of a CycloneDX bill of materials that this file changes. */
interface Bill {
  readonly components: readonly { readonly name: string; readonly 'bom-ref': string }[];
}

/** The packages that the built playground contains. */
export async function browserPackages(project: string): Promise<readonly ListedPackage[]> {
  return JSON.parse(
    await readFile(join(project, 'web/dist', packagesName), 'utf8'),
  ) as readonly ListedPackage[];
}

/**
 * Adds the packages within the bundle of a package to its component. Their versions are not known, because
 * the package does not record them.
 *
 * @throws when the bill has no component of a package of the playground.
 */
export function addComponentsWithin<B extends Bill>(bill: B, listed: readonly ListedPackage[]): B {
  const names = new Set(bill.components.map(({ name }) => name));
  const missing = listed.filter(({ name }) => !names.has(name)).map(({ name }) => name);
  if (missing.length > 0) throw new Error(`The bill of materials lacks ${missing.join(', ')}.`);
  const components = bill.components.map((component) => {
    const within = listed.find(({ name }) => name === component.name)?.within ?? [];
    if (within.length === 0) return component;
    return { ...component, components: within.map((one) => componentWithin(one, component)) };
  });
  return { ...bill, components };
}

function componentWithin(
  { name, licence }: ListedPackage['within'][number],
  { 'bom-ref': parent }: Bill['components'][number],
): object {
  const licences = licence.includes(' ')
    ? [{ expression: licence }]
    : [{ license: { id: licence } }];
  return { 'bom-ref': `${parent}|${name}`, type: 'library', name, licenses: licences };
}
