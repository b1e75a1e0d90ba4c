import { paymentsOf } from '../../domain/bonds/bond-payments.ts';
import type { Bonds } from '../../domain/bonds/bonds.ts';
import { valuesOf } from '../../domain/bonds/index-growth.ts';
import { toEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import { tickerOfDollar } from '../../domain/dollars/dollar.ts';
import { valuedIn } from '../../domain/bonds/bond.ts';
import type { Adjustment } from '../../domain/history/adjust-series.ts';
import { rateAgeDaysMax, rateOn } from '../../domain/history/convert-series.ts';
import type { CashDividend } from '../../domain/history/corporate-action.ts';
import type { IndexSeries } from '../../domain/indices/index-series.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { canMature } from '../../domain/instruments/maturity.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { HistoryReader, HistoryRevisions } from '../../store/contract/history-store.ts';

/** The payments of bonds, as the cash dividends that `ajuste=total` takes (contract 4.2.18). */
export class BondPayments {
  readonly #bonds: Bonds;
  readonly #universe: Universe;
  readonly #indices: () => IndexSeries;
  readonly #known = new WeakMap<IndexSeries, Map<Instrument, readonly CashDividend[]>>();

  constructor(parts: {
    readonly bonds: Bonds;
    readonly universe: Universe;
    readonly indices: () => IndexSeries;
  }) {
    this.#bonds = parts.bonds;
    this.#universe = parts.universe;
    this.#indices = parts.indices;
  }

  /** Those of an instrument in the currency of its flows, ascending by ex day. One that is not known is infinite. */
  of(instrument: Instrument): readonly CashDividend[] {
    const indices = this.#indices();
    const known = this.#known.getOrInsertComputed(indices, () => new Map());
    return known.getOrInsertComputed(instrument, () => this.#find(instrument, indices));
  }

  /** Those of an instrument in its own currency, where the dollar of their day is known. */
  async inCurrency(
    instrument: Instrument,
    history: Pick<HistoryReader, 'readSeries'>,
  ): Promise<readonly CashDividend[]> {
    const payments = this.of(instrument);
    const dollar = this.dollarOf(instrument);
    const [first, last] = [payments.at(0)?.exDay, payments.at(-1)?.exDay];
    if (dollar === undefined || first === undefined || last === undefined) return payments;
    const range = { from: (first - 1 - rateAgeDaysMax) as EpochDay, to: last };
    const closes = await history.readSeries(dollar.ticker, range);
    return payments.map((payment) => {
      // The dollar of the close that the payment is compared with.
      const rate = rateOn(closes, payment.exDay - 1);
      if (rate === undefined) return payment;
      const amount = payment.currency === 'USD' ? payment.amount * rate : payment.amount / rate;
      return { ...payment, amount, currency: instrument.currency };
    });
  }

  /** The instrument by whose closes the payments of another one are converted. Undefined where they are not. */
  dollarOf(instrument: Instrument): Instrument | undefined {
    const bond = this.#bonds.of(instrument);
    if (bond === undefined || valuedIn(bond.terms) === instrument.currency) return undefined;
    const dollar = instrument.dollarClass?.paid === 'cable' ? 'cable' : 'mep';
    return this.#universe.find(tickerOfDollar(dollar));
  }

  /** What the payments of instruments are made of, compared by identity. */
  madeOf(
    instruments: readonly Instrument[],
    adjustment: Adjustment,
    revisions: HistoryRevisions,
  ): readonly unknown[] {
    if (adjustment !== 'total') return [];
    const paying = instruments.filter((one) => this.#bonds.of(one) !== undefined);
    if (paying.length === 0) return [];
    const dollars = paying.flatMap((one) => this.dollarOf(one) ?? []);
    return [this.#indices(), revisions.latest(dollars)];
  }

  /** Whether an instrument is a bond without terms, whose payments are not known. */
  lacksTerms(instrument: Instrument): boolean {
    return canMature(instrument.kind) && this.#bonds.of(instrument) === undefined;
  }

  #find(instrument: Instrument, indices: IndexSeries): readonly CashDividend[] {
    const bond = this.#bonds.of(instrument);
    if (bond === undefined) return [];
    const { ticker, pricePer } = instrument;
    return paymentsOf(bond, valuesOf(indices)).map(({ exDate, amount, currency }) => {
      const own = amount === null ? Infinity : (amount * pricePer) / 100;
      const exDay = toEpochDay(exDate);
      return { ticker, exDay, type: 'cash-dividend', amount: own, currency, source: ticker };
    });
  }
}
