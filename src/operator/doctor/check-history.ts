import type { Instrument } from '../../domain/instruments/instrument.ts';
import {
  addDays,
  fromEpochDay,
  lastEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../domain/calendar/plain-date.ts';
import { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { HistoryReader } from '../../store/contract/history-store.ts';
import { warningIfAny, type Finding } from '../../lib/reports/finding.ts';
import { firstOf } from '../../lib/text/first-of.ts';

/** Number of days that are checked. Older gaps were reported before. */
const lookBackDays = 30;

/** Maximum number of days of one instrument that are listed. Further ones are counted. */
const daysNamedMax = 3;

/**
 * Checks that each instrument with a history has a close of every session since its first close. The
 * calendar of the market gives the sessions. A day that three or more instruments of a market lack is
 * listed once, for the market.
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
  return warningIfAny('history', cases, {
    none: `${known}. No close of the last ${lookBackDays} days is missing.`,
    some: `${known}. Closes of the last ${lookBackDays} days are missing.`,
    todo: 'Import the closes ("pizarra import"). If there was no session, add the holiday to the universe.',
  });
}

/** The sessions of the last weeks that ended before an instant, ascending. */
function sessionsOver(calendar: SessionCalendar, by: number): readonly EpochDay[] {
  const sessions: EpochDay[] = [];
  const oldest = addDays(calendar.sessionAt(by), -lookBackDays);
  for (let date: PlainDate = calendar.sessionAt(by); date >= oldest;) {
    if (calendar.closesAt(date) <= by) sessions.push(toEpochDay(date));
    date = calendar.previousSession(date);
  }
  return sessions.toReversed();
}

/** The sessions without a close. Gives undefined for an instrument without history. */
async function gapsOf(
  { ticker, maturity }: Instrument,
  sessions: readonly EpochDay[],
  history: HistoryReader,
): Promise<readonly EpochDay[] | undefined> {
  if (!(await history.latestCloses([ticker])).has(ticker)) return undefined;
  const [from, to] = [sessions[0], sessions.at(-1)];
  if (from === undefined || to === undefined) return [];
  const { days } = await history.readSeries(ticker, { from, to });
  const held = new Set<number>(days);
  // An instrument that was listed within these weeks has no earlier sessions.
  const isOlder = await hasBefore(history, ticker, from);
  const since = isOlder ? from : (days[0] ?? from);
  // A bond that has matured has no later sessions either.
  const until = maturity === undefined ? lastEpochDay : toEpochDay(maturity);
  return sessions.filter((day) => day >= since && day < until && !held.has(day));
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
  // A day that three or more instruments lack is reported for the market, not for each instrument.
  const shared = sessions.flatMap((day) => {
    const lacking = [...missing.values()].filter((days) => days.includes(day)).length;
    return lacking >= 3 ? [{ day, lacking }] : [];
  });
  const sharedDays = new Set(shared.map(({ day }) => day));
  return [
    ...shared.map(({ day, lacking }) => `${market} ${fromEpochDay(day)}: ${lacking} instruments`),
    ...[...missing].flatMap(([{ ticker }, all]) => {
      const days = all.filter((day) => !sharedDays.has(day));
      return days.length === 0
        ? []
        : [`${ticker}: ${firstOf(days.map(fromEpochDay), daysNamedMax)}`];
    }),
  ];
}
