/** The query of a request. Absent values are left out, lists are separated by commas. */
export function queryOf(parameters: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => {
    if (value === undefined || value === null) return [];
    return [`${name}=${listed(name, value)}`];
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/**
 * @throws TypeError for an entry of a list that contains a comma: the service would take it for two.
 */
function listed(name: string, value: unknown): string {
  if (!Array.isArray(value)) return encodeURIComponent(String(value)).replaceAll('%2C', ',');
  for (const one of value) {
    if (String(one).includes(',')) throw new TypeError(`${name}: ${String(one)} contains a comma`);
  }
  return value.map((one) => encodeURIComponent(String(one))).join(',');
}
