/**
 * The number of a text as it is written in Argentina: `7.500,50`. Points between groups of three
 * digits separate thousands. A single point with another number of digits after it is a decimal
 * point, as in `7.5`. Returns undefined for any other text.
 */
export function parsePrice(text: string): number | undefined {
  const plain = text.trim();
  const isGrouped = /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(plain);
  const isPlain = /^\d+(?:[.,]\d+)?$/.test(plain);
  if (!isGrouped && !isPlain) return undefined;
  const digits = isGrouped ? plain.replaceAll('.', '') : plain;
  const value = Number(digits.replace(',', '.'));
  return Number.isFinite(value) ? value : undefined;
}
