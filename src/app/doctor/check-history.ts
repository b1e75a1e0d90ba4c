import type { Instrument } from '../../domain/instrument.ts';
import { addDays, fromEpochDay, toEpochDay } from '../../domain/plain-date.ts';
import type { EpochDay, PlainDate } from '../../domain/plain-date.ts';
import { SessionCalendar } from '../../domain/session-calendar.ts';
import type { Universe } from '../../domain/universe.ts';
import type { HistoryReader } from '../../store/history-store.ts';
import { fine, warning } from './finding.ts';
import type { Finding } from './finding.ts';

/** So many days back sessions are looked for: an older gap was noticed, or nobody minds. */
const lookBackDays = 30;

/** How many days of one instrument are named; the others are counted. */
const daysNamedMax = 3;

/**
 * Checks that each instrument with a history has the closes of the sessions that are over, as its
 * market's calendar has them, since its first close. Days that the whole market lacks are named once.
 */
export async function checkHistory(
  universe: Universe,
  history: HistoryReader,
  { now, settleDelayMs }: { readonly now: number; readonly settleDelayMs: number },
): Promise<Finding> {
  const cases: string[] = [];
  let withHistory = 0;
  for (const [code, market] of universe.markets) {
    const instruments = universe.instruments.filter((one) => one.market === code);
    const sessions = sessionsOver(new SessionCalendar(market), now - settleDelayMs);
    const missing = new Map<Instrument, readonly EpochDay[]>();
    for (const instrument of instruments) {
      const gaps = await gapsOf(instrument, sessions, history);
      if (gaps === undefined) continue;
      withHistory += 1;
      if (gaps.length > 0) missing.set(instrument, gaps);
    }
    cases.push(...casesOf(code, sessions, missing));
  }
  const total = universe.instruments.length;
  const known = `${withHistory} of ${total} instruments have a history`;
  if (cases.length > 0) {
    return warning('history', `${known}; closes of the last ${lookBackDays} days are missing.`, {
      todo: 'Import them ("pizarra import"), or, where there was no session, add the holiday to the universe.',
      cases,
    });
  }
  return fine('history', `${known}, without a gap in the last ${lookBackDays} days.`);
}

/** The sessions of the last weeks that have ended by an instant, ascending. */
function sessionsOver(calendar: SessionCalendar, by: number): readonly EpochDay[] {
  const sessions: EpochDay[] = [];
  const oldest = addDays(calendar.sessionAt(by), -lookBackDays);
  for (let date: PlainDate = calendar.sessionAt(by); date >= oldest;) {
    if (calendar.closesAt(date) <= by) sessions.push(toEpochDay(date));
    date = calendar.previousSession(date);
  }
  return sessions.toReversed();
}

/** The sessions without a close; undefined for an instrument without any history. */
async function gapsOf(
  { ticker }: Instrument,
  sessions: readonly EpochDay[],
  history: HistoryReader,
): Promise<readonly EpochDay[] | undefined> {
  if (!(await history.latestCloses([ticker])).has(ticker)) return undefined;
  const [from, to] = [sessions[0], sessions.at(-1)];
  if (from === undefined || to === undefined) return [];
  const { days } = await history.readSeries(ticker, { from, to });
  const held = new Set<number>(days);
  // An instrument that was listed within these weeks lacks nothing before.
  const isOlder = await hasBefore(history, ticker, from);
  const since = isOlder ? from : (days[0] ?? from);
  return sessions.filter((day) => day >= since && !held.has(day));
}

async function hasBefore(
  history: HistoryReader,
  ticker: Instrument['ticker'],
  day: EpochDay,
): Promise<boolean> {
  const [references] = await history.referenceCloses([{ ticker, sessionDate: fromEpochDay(day) }]);
  return references?.previous !== undefined;
}

function casesOf(
  market: string,
  sessions: readonly EpochDay[],
  missing: ReadonlyMap<Instrument, readonly EpochDay[]>,
): readonly string[] {
  // What three or more instruments lack together is the market's, and would be told too often.
  const shared = sessions.flatMap((day) => {
    const lacking = [...missing.values()].filter((days) => days.includes(day)).length;
    return lacking >= 3 ? [{ day, lacking }] : [];
  });
  const sharedDays = new Set(shared.map(({ day }) => day));
  return [
    ...shared.map(({ day, lacking }) => `${market} ${fromEpochDay(day)}: ${lacking} instruments`),
    ...[...missing].flatMap(([{ ticker }, all]) => {
      const days = all.filter((day) => !sharedDays.has(day));
      if (days.length === 0) return [];
      const named = days.slice(0, daysNamedMax).map(fromEpochDay).join(', ');
      const more = days.length > daysNamedMax ? ` and ${days.length - daysNamedMax} more` : '';
      return [`${ticker}: ${named}${more}`];
    }),
  ];
}
