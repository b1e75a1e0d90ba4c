import type { Universe } from '../../domain/instruments/universe.ts';
import type { Market } from '../../domain/calendar/market.ts';
import { formatUniverseFaults } from '../../universe/format-universe-faults.ts';
import { loadUniverse } from '../../universe/load-universe.ts';
import { fine, warning, wrong } from '../../lib/reports/finding.ts';
import type { Finding } from '../../lib/reports/finding.ts';

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
 * Checks that the universe has the holidays of this year and, once they are published, of the next year.
 * A missing holiday is treated as a session without trades.
 */
export function checkCalendars({ markets }: Universe, now: number): Finding {
  const today = new Date(now);
  const year = today.getUTCFullYear();
  const keeping = [...markets.values()].filter(({ holidays }) => holidays.size > 0);
  const lacking = (needed: number): readonly string[] =>
    keeping
      .filter((market) => through(market) < needed)
      .map((market) => `${market.code}: holidays through ${through(market)}`);
  const todo = 'Add the holidays to markets.yaml of the universe, and reload the service (SIGHUP).';
  const thisYear = lacking(year);
  if (thisYear.length > 0) {
    return wrong('calendars', `The holidays of ${year} are missing.`, { todo, cases: thisYear });
  }
  const nextYear = lacking(year + 1);
  if (nextYear.length > 0 && today.getUTCMonth() + 1 >= publishedFromMonth) {
    return warning('calendars', `The holidays of ${year + 1} are missing.`, {
      todo,
      cases: nextYear,
    });
  }
  const known = Math.min(...keeping.map(through));
  return fine(
    'calendars',
    `The universe has holidays through ${keeping.length === 0 ? year : known}.`,
  );
}

/** The year of the last holiday of a market. */
function through(market: Market): number {
  return Math.max(...Array.from(market.holidays.keys(), (date) => Number(date.slice(0, 4))));
}
