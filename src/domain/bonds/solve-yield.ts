/** An amount and the time until it is paid, in years. */
export interface TimedAmount {
  readonly amount: number;
  readonly years: number;
}

/** The lowest and the highest yield that is searched, as a part of one: −99 % and 10,000 %. */
const yieldMin = -0.99;
const yieldMax = 100;

/** The first step from a yield of zero towards the bracket, in the unknown of the solver. */
const firstStep = 1 / 64;

/**
 * The yield of amounts for a price, as a part of one (0.08 is 8 %), compounded `compounding` times a year:
 * Σ amount × (1 + y/m)^(−m × years) = price. Null if there is no yield from −99 % to 10,000 %, if the price is
 * not above zero, or if there is nothing to discount. Never throws.
 *
 * The unknown is u = ln(1 + y/m), in which the sum only falls. The bracket grows from u = 0 by doubling its
 * steps: with a wide fixed one the sum of a bond of ten years or more overflows. Newton's method runs within
 * the bracket, and halves it where a step would leave it, until the ends are adjacent numbers.
 */
export function solveYield(
  amounts: readonly TimedAmount[],
  price: number,
  compounding: number,
): number | null {
  if (!(price > 0) || price === Number.POSITIVE_INFINITY || amounts.length === 0) return null;
  if (!amounts.every(({ amount, years }) => amount >= 0 && years >= 0)) return null;
  if (!amounts.some(({ amount, years }) => amount > 0 && years > 0)) return null;
  const bracket = bracketOf(amounts, price, compounding);
  return bracket === undefined
    ? null
    : Math.expm1(rootWithin(amounts, price, compounding, bracket)) * compounding;
}

/** The sum of amounts at a yield: the price that {@link solveYield} finds the yield of. */
export function priceAt(
  amounts: readonly TimedAmount[],
  annualYield: number,
  compounding: number,
): number {
  const u = Math.log1p(annualYield / compounding);
  return amounts.reduce(
    (sum, { amount, years }) => sum + amount * Math.exp(-compounding * years * u),
    0,
  );
}

interface Bracket {
  /** Where the sum is above the price or equal to it. */
  low: number;
  /** Where the sum is below the price or equal to it. */
  high: number;
}

function bracketOf(
  amounts: readonly TimedAmount[],
  price: number,
  compounding: number,
): Bracket | undefined {
  const sumAt = (u: number) =>
    amounts.reduce(
      (sum, { amount, years }) => sum + amount * Math.exp(-compounding * years * u),
      0,
    );
  const sign = sumAt(0) >= price ? 1 : -1;
  const limit = Math.log1p((sign === 1 ? yieldMax : yieldMin) / compounding);
  let inner = 0;
  for (let step = firstStep; ; step *= 2) {
    const outer = Math.abs(inner) + step < Math.abs(limit) ? inner + sign * step : limit;
    if (sign * (sumAt(outer) - price) <= 0) {
      return sign === 1 ? { low: inner, high: outer } : { low: outer, high: inner };
    }
    if (outer === limit) return undefined;
    inner = outer;
  }
}

function rootWithin(
  amounts: readonly TimedAmount[],
  price: number,
  compounding: number,
  { low, high }: Bracket,
): number {
  let u = (low + high) / 2;
  let step = high - low;
  let stepBefore = step;
  for (;;) {
    let excess = -price;
    let slope = 0;
    for (const { amount, years } of amounts) {
      const value = amount * Math.exp(-compounding * years * u);
      excess += value;
      slope -= compounding * years * value;
    }
    if (excess === 0) return u;
    if (excess > 0) low = u;
    else high = u;
    const newton = u - excess / slope;
    if (newton === u) return u;
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return u;
    // Of two steps, the second is at most half as long as the first. So the loop ends.
    const isSafe = newton > low && newton < high && Math.abs(newton - u) <= stepBefore / 2;
    const next = isSafe ? newton : middle;
    stepBefore = step;
    step = isSafe ? Math.abs(newton - u) : high - low;
    u = next;
  }
}
