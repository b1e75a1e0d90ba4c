import type { Bonds } from '../../domain/bonds/bonds.ts';
import { addDays, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { hasClassAmong, type BondTerms } from '../../domain/instruments/bond-terms.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import { canMature } from '../../domain/instruments/maturity.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { fine, warning, type Finding, type Remedy } from '../../lib/reports/finding.ts';

/** Bonds that mature within this number of days are named. */
const soonDays = 30;
/** Terms that were compared with their sources longer ago are named. */
const reviewDaysMax = 365;

/** What the terms are checked against. */
interface TermsContext {
  readonly universe: Universe;
  readonly bonds: Bonds;
  readonly today: PlainDate;
  /**
   * The tickers that have a quote. If given, only bonds with a quote cause a warning. The others are named
   * without one, because nobody misses their figures. If absent, all terms and the panel `BONOS` are checked.
   */
  readonly quoted?: ReadonlySet<Ticker> | undefined;
}

/** The finding for a universe without terms of bonds. */
export const noTerms = fine('bonds', 'The universe has no terms of bonds, so no bond has figures.');

/** The day in the time zone of the market of the bonds. Undefined in a universe without terms. */
export function dayOfBonds(universe: Universe, now: number): PlainDate | undefined {
  const [first] = universe.bondTerms;
  if (first === undefined) return undefined;
  return new MarketCalendars(universe).of(universe.get(first.ticker)).dateAt(now);
}

/**
 * Checks the terms of the bonds of a universe: those in doubt, those that nobody has reviewed for a year, those
 * that mature soon, and the bonds that have none. Faults of the file are found when it loads.
 */
export function checkTerms(context: TermsContext): readonly Finding[] {
  const alive = context.universe.bondTerms.filter(({ maturity }) => maturity > context.today);
  return [
    doubtful(alive, context),
    reviewed(alive, context),
    maturing(alive, context),
    missing(context),
  ];
}

function doubtful(alive: readonly BondTerms[], context: TermsContext): Finding {
  const found = alive.filter(({ isVerified }) => !isVerified);
  return report('doubtful terms', found, context, {
    none: 'All terms are verified.',
    others: 'No bond with a quote has terms in doubt. Others have',
    says: 'Terms are in doubt. Their figures say so ("terminos en duda").',
    todo: 'Compare them with the conditions of the issue, then write "verificado" into estado.',
    caseOf: ({ ticker }) => ticker,
  });
}

function reviewed(alive: readonly BondTerms[], context: TermsContext): Finding {
  const limit = addDays(context.today, -reviewDaysMax);
  const found = alive.filter(({ reviewed: on }) => on === undefined || on < limit);
  return report('reviewed terms', found, context, {
    none: 'All terms were reviewed within a year.',
    others:
      'The terms of all bonds with a quote were reviewed within a year. Those of others were not',
    says: 'Terms were not reviewed within a year.',
    todo: 'Compare them with their sources, then write the day into revisado.',
    caseOf: ({ ticker, reviewed: on }) => `${ticker}: ${on ?? 'never'}`,
  });
}

function maturing(alive: readonly BondTerms[], { today }: TermsContext): Finding {
  const limit = addDays(today, soonDays);
  const soon = alive.filter(({ maturity }) => maturity <= limit);
  const named = soon.map(({ ticker, maturity }) => `${ticker} (${maturity})`).join(', ');
  const says =
    soon.length === 0
      ? `No bond matures within ${soonDays} days.`
      : `Within ${soonDays} days mature: ${named}.`;
  return fine('maturing bonds', says);
}

function missing({ universe, bonds, today, quoted }: TermsContext): Finding {
  const [whose, counted] =
    quoted === undefined
      ? ['of BONOS', universe.listOf('BONOS')]
      : ['with a quote', universe.instruments.filter(({ ticker }) => quoted.has(ticker))];
  const found = counted
    .filter(({ kind, maturity }) => canMature(kind) && (maturity ?? '9999') > today)
    .filter((instrument) => bonds.of(instrument) === undefined);
  if (found.length === 0) return fine('missing terms', `All bonds ${whose} have terms.`);
  return warning('missing terms', `Bonds ${whose} have no terms, so they have no figures.`, {
    todo: 'Add a row to bonds.csv of the universe, or the class to the series of its issue (docs/bonds.md), and reload the service (SIGHUP).',
    cases: found.map(({ ticker, dollarClass }) => {
      const base = dollarClass?.base;
      const isOfIssue = base !== undefined && bonds.of({ ticker: base }) !== undefined;
      return isOfIssue ? `${ticker}: not in the series of ${base}` : ticker;
    }),
  });
}

/** A warning with a case for each issue that counts. If none does, the finding is fine and names the others. */
function report(
  check: string,
  found: readonly BondTerms[],
  { quoted }: TermsContext,
  texts: Pick<Remedy, 'todo'> & {
    readonly none: string;
    readonly others: string;
    readonly says: string;
    readonly caseOf: (terms: BondTerms) => string;
  },
): Finding {
  const { none, others, says, todo, caseOf } = texts;
  const counted =
    quoted === undefined ? found : found.filter((terms) => hasClassAmong(terms, quoted));
  const cases = counted.map(caseOf);
  if (cases.length > 0) return warning(check, says, { todo, cases });
  if (found.length === 0) return fine(check, none);
  const named = found.map(({ ticker }) => ticker).join(', ');
  return fine(check, `${others}: ${named}.`);
}
