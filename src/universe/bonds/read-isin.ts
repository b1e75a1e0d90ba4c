import type { BondTerms } from '../../domain/instruments/bond-terms.ts';

const isinShape = /^[A-Z]{2}[A-Z\d]{9}\d$/;

/** Reads an ISIN. The cell may be empty. */
export function readIsin(
  { cells }: { readonly cells: { readonly isin: string } },
  wrong: (column: 'isin', value: string, message: string) => void,
): Pick<BondTerms, 'isin'> {
  const { isin } = cells;
  if (isin === '') return {};
  if (!isinShape.test(isin)) wrong('isin', isin, 'not a valid ISIN; it has 12 characters');
  else if (!hasCheckDigit(isin)) {
    wrong(
      'isin',
      isin,
      'not a valid ISIN: the last digit does not check the others; look for a slip',
    );
  }
  return { isin };
}

/** Whether the last digit is that of ISO 6166: letters count as 10 to 35, then Luhn's sum is a multiple of 10. */
function hasCheckDigit(isin: string): boolean {
  const digits = Array.from(isin, (character) => Number.parseInt(character, 36)).join('');
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => {
      const weighted = Number(digit) * (index % 2 === 0 ? 1 : 2);
      return total + (weighted > 9 ? weighted - 9 : weighted);
    }, 0);
  return sum % 10 === 0;
}
