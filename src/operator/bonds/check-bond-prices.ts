import { isPlausibleParity } from '../../domain/bonds/value-bond.ts';
import { fine, warning, type Finding } from '../../lib/reports/finding.ts';
import type { QuotedBond } from './value-quotes.ts';

/**
 * Finds the quotes that cannot be prices of 100 nominal, because their parity is outside 5 to 200 %. Their state in
 * `/bonos` is `precio-dudoso`. Each case names the mistake that would explain the parity.
 */
export function checkBondPrices(quoted: readonly QuotedBond[]): Finding {
  const check = 'bond prices';
  const valued = quoted.filter(({ figures }) => figures.parity !== null);
  const doubtful = valued.filter(({ figures }) => figures.state === 'doubtful-price');
  if (doubtful.length > 0) {
    return warning(check, 'Prices cannot be those of 100 nominal, so the bonds have no yield.', {
      todo: 'Compare each with the market. If the source reports one nominal, write 1 into price_per of its row in instruments.csv of the universe. If it reports another currency or issue, correct currency there, series in bonds.csv, or the source.',
      cases: doubtful.map((one) => lineOf(one) + explanationOf(one)),
    });
  }
  const says =
    valued.length === 0
      ? 'No quote of a bond has a parity.'
      : `The parities of ${valued.length} quotes of bonds are plausible.`;
  return fine(check, says);
}

function lineOf({ quote, figures }: QuotedBond): string {
  const { instrument, sessionDate, last } = quote;
  const { exchangeRate, parity } = figures;
  const rate = exchangeRate === null ? '' : ` at ${Number(exchangeRate.toFixed(2))} for a dollar`;
  const price = `${last} ${instrument.currency}${rate}`;
  return `${instrument.ticker} ${sessionDate}: ${price} is a parity of ${shown(parity)} %`;
}

/** The mistake that best explains a parity: without it, the parity would be closest to 100 %. */
function explanationOf({ quote, figures, rate }: QuotedBond): string {
  const parity = figures.parity ?? Number.NaN;
  const mistakes = [{ mistake: 'the price of one nominal', parity: parity * 100 }];
  if (rate !== undefined) {
    const isInDollars = quote.instrument.currency === 'USD';
    mistakes.push({
      mistake: isInDollars ? 'in ARS' : 'in USD',
      parity: isInDollars ? parity / rate : parity * rate,
    });
  }
  const [best] = mistakes
    .filter((one) => isPlausibleParity(one.parity))
    .toSorted((a, b) => distance(a.parity) - distance(b.parity));
  return best === undefined ? '' : `, as if it were ${best.mistake}`;
}

function distance(parity: number): number {
  return Math.abs(Math.log(parity / 100));
}

function shown(parity: number | null): number {
  return Number((parity ?? Number.NaN).toPrecision(3));
}
