import type { Instrumento } from './contract.ts';

/**
 * The value of a position, in the currency of the instrument (`moneda`): quantity × price ÷ `precioPor`. A
 * bond at 97,021 is 97,021 for 100 nominal, so 1,000 nominal are worth 970,210.
 *
 * @param instrument a row of `instruments({ campos: ['precioPor'] })`.
 * @param position.quantity shares, receipts or nominal; negative for a short position.
 * @param position.price in the unit of the quotes of the instrument, such as `ultimo`.
 * @throws TypeError when the row has no `precioPor`: without it, the value could be wrong by a factor of 100.
 */
export function positionValue(
  instrument: Pick<Instrumento, 'especie' | 'precioPor'>,
  position: { readonly quantity: number; readonly price: number },
): number {
  const { especie, precioPor } = instrument;
  if (precioPor === undefined) {
    throw new TypeError(
      `${especie} has no precioPor: request the instrument with campos: ['precioPor']`,
    );
  }
  const { quantity, price } = position;
  if (!Number.isFinite(quantity)) throw new TypeError(`the quantity of ${especie} is not a number`);
  if (!Number.isFinite(price)) throw new TypeError(`the price of ${especie} is not a number`);
  return (quantity * price) / precioPor;
}
