import type { Convention } from './conventions.ts';

interface PriceParts {
  readonly price: {
    readonly amount: number;
    readonly currency: string;
    readonly form: 'quoted' | 'convention';
  };
  readonly convention: Pick<Convention, 'price'>;
  /** The currency of the flows. */
  readonly valuedIn: string;
  /** Pesos for one dollar. */
  readonly exchangeRate: number | undefined;
  /** In the currency of the flows, as all that follows. Null if it is not known. */
  readonly accrued: number | null;
  /** The outstanding principal for 100 of the original nominal, without an index. */
  readonly outstanding: number;
}

/** One price as the market quotes it, as a convention expresses it, and in the currency of the flows. */
export class PriceForms {
  /** With accrued interest, in the currency of the flows. Null if something for it is missing. */
  readonly dirty: number | null;
  /** As the convention expresses it, in the currency of the flows. */
  readonly inConvention: number | null;
  /** As the convention expresses it, in the currency of the price. */
  readonly shown: number | null;
  /** Pesos for one dollar, by which the price was converted. Null if it was not. */
  readonly appliedRate: number | null;
  /** Whether the price has another currency than the flows, and cannot be converted. */
  readonly lacksRate: boolean;

  constructor(parts: PriceParts) {
    const { price } = parts;
    const isForeign = price.currency !== parts.valuedIn;
    const toFlows = isForeign ? conversionOf(parts) : 1;
    this.lacksRate = toFlows === undefined;
    this.appliedRate = isForeign && toFlows !== undefined ? (parts.exchangeRate ?? null) : null;

    const amount = toFlows === undefined ? null : price.amount * toFlows;
    const isQuoted = price.form === 'quoted';
    this.dirty = isQuoted ? amount : dirtyOf(amount, parts);
    this.inConvention = isQuoted ? expressedOf(amount, parts) : amount;
    // A price that is not converted into another form is shown as it came, to the last digit.
    const isAsItCame = !isQuoted || parts.convention.price === 'dirty';
    if (isAsItCame) this.shown = price.amount;
    else {
      const expressed = this.inConvention;
      this.shown = expressed === null || toFlows === undefined ? null : expressed / toFlows;
    }
  }
}

/** By what an amount in the currency of the price is multiplied for one in the currency of the flows. */
function conversionOf({ price, valuedIn, exchangeRate }: PriceParts): number | undefined {
  if (exchangeRate === undefined || !(exchangeRate > 0)) return undefined;
  if (price.currency === 'ARS' && valuedIn === 'USD') return 1 / exchangeRate;
  if (price.currency === 'USD' && valuedIn === 'ARS') return exchangeRate;
  return undefined;
}

/** The price with accrued interest of a price that a convention expresses. */
function dirtyOf(amount: number | null, { convention, accrued, outstanding }: PriceParts) {
  if (amount === null || convention.price === 'dirty') return amount;
  if (accrued === null) return null;
  return convention.price === 'clean' ? amount + accrued : (amount * outstanding) / 100 + accrued;
}

/** The price that a convention expresses, of a price with accrued interest. */
function expressedOf(amount: number | null, { convention, accrued, outstanding }: PriceParts) {
  if (amount === null || convention.price === 'dirty') return amount;
  if (accrued === null) return null;
  const clean = amount - accrued;
  return convention.price === 'clean' ? clean : (clean / outstanding) * 100;
}
