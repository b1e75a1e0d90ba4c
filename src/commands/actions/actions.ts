import { fromEpochDay, toEpochDay } from '../../domain/calendar/plain-date.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import { tickerKey } from '../../domain/instruments/ticker.ts';
import { actionTypeNames } from '../../import/actions/action-fields.ts';
import { OperatorFault } from '../../lib/reports/operator-fault.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { checkStoredActions } from '../../operator/actions/check-actions.ts';
import { requireInstrument } from '../../operator/universe/require-instrument.ts';
import { importCommand } from './import.ts';
import { command, type Group } from '../form/command.ts';
import { parseDay } from '../form/flags.ts';
import { rows } from '../form/report.ts';
import { actionObject, actionValue, doubtText, parseType } from './action-texts.ts';

const list = command({
  name: 'list',
  summary: 'list the recorded actions by ticker and ex date',
  args: { ticker: ['[TICKER]', 'the instrument; if absent, all'] },
  flags: { json: { text: 'print one JSON array, which "actions import" reads' } },
  settings: ['store'],
  examples: ['pizarra actions list GGAL', 'pizarra actions list --json > actions.json'],
  async run({ args: { ticker }, openStore }) {
    const store = await openStore('read');
    const { values: all } = await store.actions.readAll();
    const actions = ticker === undefined ? all : all.filter(isOf(ticker));
    return {
      sections: [
        rows(actions, {
          ticker: ['TICKER', (one) => one.ticker],
          date: ['DATE', ({ exDay }) => fromEpochDay(exDay)],
          type: ['TYPE', ({ type }) => type],
          value: ['VALUE', actionValue],
          source: ['SOURCE', ({ source }) => source],
        }),
      ],
      json: actions.map(actionObject),
    };
  },
});

/** The exit code is 1 if there are doubts. */
const check = command({
  name: 'check',
  summary: 'compare the stored closes with the recorded actions',
  args: { ticker: ['[TICKER]', 'the instrument; if absent, all'] },
  flags: { json: { text: 'print one JSON array' } },
  settings: ['store', 'universe'],
  examples: ['pizarra actions check', 'pizarra actions check GGAL'],
  async run({ args: { ticker }, readUniverse, openStore }) {
    const universe = await readUniverse();
    const instruments =
      ticker === undefined ? universe.instruments : [requireInstrument(universe, ticker)];
    const { doubts } = await checkStoredActions(await openStore('read'), instruments);
    const json = doubts.map(({ day, previousDay, ...rest }) => ({
      ...rest,
      date: fromEpochDay(day),
      previousDate: fromEpochDay(previousDay),
    }));
    if (doubts.length > 0) return { sections: doubts.map(doubtText), json, outcome: 'failed' };
    const sections = [
      'The recorded actions agree with the stored closes, and no action seems to be missing.',
    ];
    return { sections, json };
  },
});

/** A running service applies it at once. */
const remove = command({
  name: 'remove',
  summary: 'remove a recorded action',
  args: {
    ticker: ['<TICKER>', 'the instrument'],
    date: ['<DATE>', 'the ex date (YYYY-MM-DD)', parseDay],
    type: ['<TYPE>', actionTypeNames, parseType],
  },
  flags: { json: { text: 'print the removed action as one JSON object' } },
  settings: ['store'],
  examples: ['pizarra actions remove GGAL 2024-06-03 cash-dividend'],
  async run({ args: { ticker: named, date, type }, openStore }) {
    const store = await openStore('write');
    const exDay = toEpochDay(date);
    const removed = (await store.actions.readAll()).values
      .filter(isOf(named))
      .find((one) => one.exDay === exDay && one.type === type);
    if (removed === undefined) {
      throw new OperatorFault(
        `There is no ${type} of ${named} on ${date}. "pizarra actions list" lists all actions.`,
      );
    }
    const { ticker } = removed;
    await store.actions.apply(
      { remove: [{ ticker, exDay, type }] },
      { at: systemClock.now(), origin: 'remove' },
    );
    return {
      sections: [`Removed the ${type} of ${ticker} on ${date}.`],
      json: actionObject(removed),
    };
  },
});

/** Whether an action concerns an instrument. A change of the ticker concerns both. */
function isOf(spelling: string): (action: CorporateAction) => boolean {
  const key = tickerKey(spelling);
  return (action) =>
    tickerKey(action.ticker) === key ||
    (action.type === 'ticker-change' && tickerKey(action.newTicker) === key);
}

export const actions: Group = {
  name: 'actions',
  summary: 'import, list, check and remove corporate actions: splits, dividends, rights, renames',
  commands: [importCommand, list, check, remove],
};
