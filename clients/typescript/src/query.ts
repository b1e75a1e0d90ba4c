/** The parameters of a request for several instruments, or only its tickers. */
export type OrTickers<P> = P | string | readonly string[];

/** The parameters, of which tickers alone are `especie`. */
export function withTickers(given: OrTickers<object>): object {
  return typeof given === 'string' || Array.isArray(given) ? { especie: given } : given;
}

/**
 * The query of a request. Absent values are left out, lists are separated by commas.
 *
 * @throws TypeError for a text in place of the parameters.
 */
export function queryOf(parameters: object): string {
  if (typeof parameters !== 'object' || Array.isArray(parameters)) {
    throw new TypeError(`the parameters must be an object such as { especie: 'GGAL' }`);
  }
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
  if (typeof value === 'number') return digits(value);
  if (!Array.isArray(value)) return encodeURIComponent(String(value)).replaceAll('%2C', ',');
  for (const one of value) {
    if (String(one).includes(',')) throw new TypeError(`${name}: ${String(one)} contains a comma`);
  }
  return value.map((one) => encodeURIComponent(String(one))).join(',');
}

/** A number as the contract writes it: without an exponent. */
function digits(value: number): string {
  const text = String(value);
  return text.includes('e-') ? value.toFixed(12).replace(/\.?0+$/, '') : text;
}
