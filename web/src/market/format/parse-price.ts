/**
 * The number of a text as it is written in Argentina: `7.500,50`. Points between groups of three
 * digits separate thousands, unless the text begins with 0. Any other single point is a decimal
 * point, as in `7.5` and `0.125`. Returns undefined for any other text.
 */
export function parsePrice(text: string): number | undefined {
  const plain = text.trim();
  const isGrouped = /^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/.test(plain);
  const isPlain = /^\d+(?:[.,]\d+)?$/.test(plain);
  if (!isGrouped && !isPlain) return undefined;
  const digits = isGrouped ? plain.replaceAll('.', '') : plain;
  const value = Number(digits.replace(',', '.'));
  return Number.isFinite(value) ? value : undefined;
}
