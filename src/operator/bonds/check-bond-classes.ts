import { instrumentClasses } from '../../domain/instruments/instrument-classes.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { fine, warning, type Finding } from '../../lib/reports/finding.ts';
import type { QuotedBond } from './value-quotes.ts';

/** The largest difference between the yields of both classes in dollars, in basis points. */
const differenceMax = 300;

const basisPoints = 100;

/**
 * Finds the bonds whose yields of class D (dollars in Argentina) and class C (dollars abroad) are more than 300
 * basis points apart in one session. The difference between the two dollars explains less than that.
 */
export function checkBondClasses(universe: Universe, quoted: readonly QuotedBond[]): Finding {
  const check = 'bond classes';
  const yields = new Map(
    quoted.flatMap(({ quote: { instrument, sessionDate, last }, figures: { yield: percent } }) =>
      percent === null
        ? []
        : [[instrument, { ticker: instrument.ticker, sessionDate, last, percent }] as const],
    ),
  );
  const pairs = instrumentClasses(universe.instruments).flatMap(({ mep, cable }) => {
    const [classD, classC] = [mep && yields.get(mep), cable && yields.get(cable)];
    if (classD === undefined || classC === undefined) return [];
    return classD.sessionDate === classC.sessionDate ? [{ classD, classC }] : [];
  });
  const cases = pairs.flatMap(({ classD, classC }) => {
    const apart = Math.abs(classD.percent - classC.percent) * basisPoints;
    if (apart <= differenceMax) return [];
    return `${classD.ticker} yields ${classD.percent.toFixed(2)} % at ${classD.last}, ${classC.ticker} ${classC.percent.toFixed(2)} % at ${classC.last} (${classD.sessionDate}): ${Math.round(apart)} basis points`;
  });
  if (cases.length > 0) {
    return warning(
      check,
      `Yields of class D and class C of a bond are more than ${differenceMax} basis points apart.`,
      {
        todo: 'Compare both prices with the market: one may be old, or of another class or issue. Then correct the source, or base and class in instruments.csv of the universe.',
        cases,
      },
    );
  }
  const says =
    pairs.length === 0
      ? 'No bond has a yield of class D and one of class C in one session.'
      : `The yields of class D and class C agree for ${pairs.length} bonds.`;
  return fine(check, says);
}
