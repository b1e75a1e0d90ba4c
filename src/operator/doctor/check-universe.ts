import type { Universe } from '../../domain/instruments/universe.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { settlementCalendar } from '../../domain/instruments/settlement-calendar.ts';
import { formatUniverseFaults } from '../../universe/files/universe-fault.ts';
import { loadUniverse } from '../../universe/load-universe.ts';
import { fine, warning, wrong, warningIfAny, type Finding } from '../../lib/reports/finding.ts';
import { maturedAt, type MaturedInstrument } from '../../domain/instruments/maturity.ts';

/** Month (1 to 12) from which on exchanges have published the holidays of the next year. */
const publishedFromMonth = 11;

/** Checks the universe files. Gives the universe if they have no fault. */
export async function checkUniverse(
  directory: string,
): Promise<{ readonly finding: Finding; readonly universe?: Universe }> {
  const loaded = await loadUniverse(directory);
  if (!loaded.ok) {
    const finding = wrong(
      'universe',
      `The universe files in ${directory} have ${loaded.faults.length} faults.`,
      {
        todo: 'Correct the files. "pizarra universe check" lists the remaining faults.',
        cases: formatUniverseFaults(loaded.faults).split('\n'),
      },
    );
    return { finding };
  }
  const { universe } = loaded;
  const says = `${universe.instruments.length} instruments on ${universe.markets.size} markets.`;
  return { finding: fine('universe', says), universe };
}

/**
 * Checks that the universe has the holidays and the days without settlement of this year and, once they are
 * published, of the next year. A missing holiday is treated as a session without trades, and a missing day
 * without settlement gives bonds a wrong settlement.
 */
export function checkCalendars(universe: Universe, now: number): Finding {
  const today = new Date(now);
  const year = today.getUTCFullYear();
  const listed = [...universe.markets.values()].flatMap(({ code, holidays, unsettled }) => [
    ...through(`${code}: holidays`, holidays.keys()),
    ...through(`${code}: days without settlement`, unsettled.keys()),
  ]);
  const lacking = (needed: number): readonly string[] =>
    listed.filter(({ last }) => last < needed).map(({ what, last }) => `${what} through ${last}`);
  const todo = 'Add them to markets.yaml of the universe, and reload the service (SIGHUP).';
  const thisYear = lacking(year);
  if (thisYear.length > 0) return wrong('calendars', missingIn(year), { todo, cases: thisYear });
  const nextYear = lacking(year + 1);
  if (nextYear.length > 0 && today.getUTCMonth() + 1 >= publishedFromMonth) {
    return warning('calendars', missingIn(year + 1), { todo, cases: nextYear });
  }
  const settling = settlementCalendar(universe)?.market;
  if (settling?.unsettled.size === 0 && universe.bondTerms.length > 0) {
    return warning('calendars', `Bonds settle on every session of ${settling.code}.`, {
      todo: 'Set settlementCalendar of the market in markets.yaml of the universe, as in the default universe (docs/universe.md), and reload the service (SIGHUP).',
    });
  }
  const known = Math.min(...listed.map(({ last }) => last));
  return fine(
    'calendars',
    `The universe has holidays through ${listed.length === 0 ? year : known}.`,
  );
}

function missingIn(year: number): string {
  return `Holidays or days without settlement of ${year} are missing.`;
}

/** The year of the last of some days. Empty without days. */
function through(
  what: string,
  days: Iterable<PlainDate>,
): readonly { readonly what: string; readonly last: number }[] {
  const years = Array.from(days, (date) => Number(date.slice(0, 4)));
  return years.length === 0 ? [] : [{ what, last: Math.max(...years) }];
}

/**
 * Checks that no panel has an instrument that has matured: it never trades again, and its last price
 * would stay on boards. One that is in no panel was left in the universe for its history.
 */
export function checkMaturities(universe: Universe, now: number): Finding {
  const matured = maturedAt(universe, now);
  const shown = matured.filter(({ panels }) => panels.length > 0);
  const rest = matured.filter(({ panels }) => panels.length === 0);
  const kept =
    rest.length === 0
      ? ''
      : ` In no panel, matured and served for their history: ${rest.map(nameOf).join(', ')}.`;
  const cases = shown.map((one) => `${nameOf(one)}: matured, in ${one.panels.join(', ')}`);
  return warningIfAny('maturities', cases, {
    none: `No panel has an instrument that has matured.${kept}`,
    some: `Panels have instruments that have matured.${kept}`,
    todo: 'Remove the panels from their rows in instruments.csv of the universe, or delete the rows, and reload the service (SIGHUP). Their history is kept.',
  });
}

function nameOf({ instrument, maturity }: MaturedInstrument): string {
  return `${instrument.ticker} (${maturity})`;
}
