import type { InstrumentInfo } from '../api/quote.ts';
import { formatDay } from './numbers.ts';

/**
 * The instruments with their names as the page shows them: numbers and dates as in Argentina. The service
 * has one name for all its clients.
 */
export function withLocalNames(infos: readonly InstrumentInfo[]): readonly InstrumentInfo[] {
  return infos.map((info) => ({ ...info, nombre: localName(info.nombre) }));
}

/** `8.75% vto. 2028-06-22` as `8,75 % vto. 22/06/2028`. */
export function localName(name: string): string {
  return name
    .replaceAll(/\b\d{4}-\d{2}-\d{2}\b/g, formatDay)
    .replaceAll(/(\d)\.(\d+)(?= ?%)/g, '$1,$2')
    .replaceAll(/(\d) ?%/g, '$1 %');
}

/**
 * A name as a part that may be cut and one that may not. Bonds of one issuer differ only at the end, from
 * the last number on.
 */
export function nameParts(name: string): readonly [string, string] {
  const [, head, tail] = /^(.*\s)(\S*\d.*)$/.exec(name) ?? [];
  if (head === undefined || tail === undefined) return [name, ''];
  if (tail.length <= tailMax) return [head, tail];
  // A note at the end, such as `(especie D, dólar MEP)`, gives way before the number.
  const noted = tail.indexOf(' (');
  return noted === -1 || noted > tailMax ? [name, ''] : [head, `${tail.slice(0, noted)}…`];
}

/** A longer end would leave no room for the beginning. */
const tailMax = 20;
