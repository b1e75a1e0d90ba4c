import { confirmedSource, isConfirmedSource } from '../../domain/history/close-source.ts';
import { CorporateActions } from '../../domain/history/corporate-actions.ts';
import { fromEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { tickerKey, type Ticker } from '../../domain/instruments/ticker.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import { openPlace } from '../../node/place/open-place.ts';

/** A close that the operator has confirmed. */
export interface ConfirmedClose {
  readonly ticker: Ticker;
  readonly day: PlainDate;
  readonly close: number;
  /** Whether it had been confirmed before. */
  readonly wasConfirmed: boolean;
}

/**
 * Confirms the close of an instrument that live prices contradict: the prices have really moved so far. Its
 * source becomes `confirmed:…`, which no fetch replaces. A running service then compares with it again.
 *
 * @throws {UsageFault} when no close of the instrument is set aside.
 * @throws {StoreFault} when the store cannot be opened or written.
 */
export async function confirmClose(text: string, storeAt: string): Promise<ConfirmedClose> {
  await using place = openPlace(storeAt);
  await using store = await place.open({ mode: 'write' });
  const quotes = await store.quotes.readAll();
  const quote = quotes.find((one) => tickerKey(one.ticker) === tickerKey(text));
  const mark = quote?.setAside;
  if (quote === undefined || mark === undefined) {
    throw new UsageFault(
      `Live prices contradict no stored close of ${text}. "pizarra doctor" lists the closes that they contradict.`,
    );
  }
  const { ticker } = quote;
  const { day } = mark;
  const { actions } = await store.actions.readAll();
  const names = new CorporateActions(actions).earlierTickers(ticker);
  const stamp = { origin: 'confirm', now: () => systemClock.now() } as const;
  for (const name of [ticker, ...names.map((one) => one.ticker)]) {
    const confirmed = await store.history.transaction(async (transaction) => {
      const [close] = await transaction.read(name, { from: day, to: day });
      if (close === undefined || close.close !== mark.close) return undefined;
      await transaction.put(name, [{ ...close, source: confirmedSource(close.source) }]);
      return { close: close.close, wasConfirmed: isConfirmedSource(close.source) };
    }, stamp);
    if (confirmed !== undefined) return { ticker, day: fromEpochDay(day), ...confirmed };
  }
  throw new UsageFault(
    `The close of ${text} of ${fromEpochDay(day)} has changed since live prices contradicted it. Nothing is to be confirmed.`,
  );
}
