import { confirmedSource, isConfirmedSource } from '../../domain/history/close-source.ts';
import { CorporateActions } from '../../domain/history/corporate-actions.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { tickerKey } from '../../domain/instruments/ticker.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import { command } from '../form/command.ts';

/**
 * The close that live prices contradict is right: the prices have really moved so far. Its source becomes
 * `confirmed:…`, which no fetch replaces. A running service then compares with it again.
 */
export const confirm = command({
  name: 'confirm',
  summary:
    'confirm the stored close of an instrument that live prices contradict: the price has really moved so far',
  args: { ticker: ['<TICKER>', 'the instrument, as "pizarra doctor" names it'] },
  settings: ['store'],
  examples: ['pizarra history confirm GGAL'],
  async run({ args, openStore }) {
    const store = await openStore('write');
    const quotes = await store.quotes.readAll();
    const quote = quotes.find((one) => tickerKey(one.ticker) === tickerKey(args.ticker));
    const mark = quote?.setAside;
    if (quote === undefined || mark === undefined) {
      throw new UsageFault(
        `Live prices contradict no stored close of ${args.ticker}. "pizarra doctor" lists the closes that they contradict.`,
      );
    }
    const { ticker } = quote;
    const { day } = mark;
    const { values: actions } = await store.actions.readAll();
    const names = new CorporateActions(actions).earlierTickers(ticker);
    const stamp = { origin: 'confirm', now: () => systemClock.now() } as const;
    for (const name of [ticker, ...names.map((one) => one.ticker)]) {
      const confirmed = await store.history.transaction(async (transaction) => {
        const [close] = await transaction.read(name, { from: day, to: day });
        if (close === undefined || close.close !== mark.close) return undefined;
        await transaction.put(name, [{ ...close, source: confirmedSource(close.source) }]);
        return { close: close.close, wasConfirmed: isConfirmedSource(close.source) };
      }, stamp);
      if (confirmed === undefined) continue;
      const how = confirmed.wasConfirmed ? 'was confirmed before' : 'is confirmed';
      return {
        sections: [`The close ${confirmed.close} of ${ticker} of ${fromEpochDay(day)} ${how}.`],
      };
    }
    throw new UsageFault(
      `The close of ${args.ticker} of ${fromEpochDay(day)} has changed since live prices contradicted it. Nothing is to be confirmed.`,
    );
  },
});
