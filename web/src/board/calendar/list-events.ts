import { actionNames, actionValue } from '../../chart/drawing/actions.ts';
import type { BondFlow, InstrumentInfo } from '../../market/api/quote.ts';
import type { ActionRow } from '../../market/api/series-rows.ts';
import { maturityOf } from '../../market/facts/instrument-facts.ts';
import { absent, formatFixed } from '../../market/format/numbers.ts';

/** What happens to instruments of a list on one day. */
export interface ListEvent {
  readonly day: string;
  /** The instruments: of a bond, all of its classes on the list. */
  readonly tickers: readonly string[];
  /** What it is: `Renta y amortización`, `Split (fecha ex)`. */
  readonly what: string;
  /** The amount with its unit: `8,24 USD`. That of a bond is for 100 nominal units. */
  readonly amount: string;
  /** What must be known of the amount. */
  readonly note?: string;
}

/**
 * The payments and maturities of the bonds of a list, and the ex dates of its corporate actions, the next first.
 *
 * @param flows the payments of each bond, by the base of its classes, which have the same ones.
 */
export function listEvents(
  tickers: readonly string[],
  {
    actions,
    flows,
    infoOf,
    today,
  }: {
    readonly actions: readonly ActionRow[];
    readonly flows: ReadonlyMap<string, readonly BondFlow[]>;
    /** The instrument with its terms. */
    readonly infoOf: (ticker: string) => InstrumentInfo | undefined;
    readonly today: string;
  },
): readonly ListEvent[] {
  const classes = Map.groupBy(tickers, (ticker) => baseOf(infoOf(ticker), ticker));
  const payments = [...classes].flatMap(([base, own]): readonly ListEvent[] => {
    const [first = base] = own;
    const currency = infoOf(first)?.monedaPagos ?? '';
    const rows = flows.get(base) ?? [];
    const named = maturityOf(infoOf(first));
    if (rows.length === 0 && named !== undefined) {
      const note = 'Según su nombre: faltan sus condiciones de emisión';
      return [{ day: named, tickers: own, what: 'Vencimiento', amount: absent, note }];
    }
    return rows.map((flow) => ({ tickers: own, ...paymentOf(flow, currency) }));
  });
  const exDates = actions.map((action) => ({
    day: action.fecha,
    tickers: [action.especie],
    what: `${actionNames[action.tipo].name} (fecha ex)`,
    amount: actionValue(action),
  }));
  return [...payments, ...exDates]
    .filter(({ day }) => day >= today)
    .toSorted((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day)));
}

/** The class in pesos of an instrument, or the instrument itself. */
export function baseOf(info: InstrumentInfo | undefined, ticker: string): string {
  return info?.base ?? ticker;
}

function paymentOf(
  { pago, interes, amortizacion, total, residual, ajustado }: BondFlow,
  currency: string,
): Omit<ListEvent, 'tickers'> {
  const parts =
    interes === 0 ? 'Amortización' : amortizacion === 0 ? 'Renta' : 'Renta y amortización';
  const what = residual === 0 ? 'Vencimiento' : parts;
  if (total === null) {
    return { day: pago, what, amount: absent, note: 'Todavía no se conoce la tasa' };
  }
  if (ajustado === total) return { day: pago, what, amount: amountIn(total, currency) };
  // What an index multiplies is paid in pesos.
  return ajustado === null
    ? { day: pago, what, amount: absent, note: 'Falta el valor del índice' }
    : {
        day: pago,
        what,
        amount: amountIn(ajustado, 'ARS'),
        note: 'Estimado con el último valor del índice',
      };
}

function amountIn(value: number, currency: string): string {
  return `${formatFixed(value, 2)} ${currency}`.trim();
}
