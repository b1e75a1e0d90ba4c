import {
  changesUnits,
  isFactorAction,
  type CashDividend,
  type CorporateAction,
} from './corporate-action.ts';
import { priceOnBasisOf } from './corporate-actions.ts';
import { rowsBefore, type BarSeries, type CloseSeries } from './daily-close.ts';
import { firstEpochDay, type EpochDay } from '../calendar/plain-date.ts';
import { roundAdjusted } from '../values/rounding.ts';

/**
 * What a series is adjusted for: nothing, the actions that have a factor, or those and the cash dividends
 * (contract 4.2.6).
 */
export type Adjustment = 'none' | 'splits' | 'total';

/** A series on one basis. Its columns have the values to show. */
export type AdjustedSeries<S extends CloseSeries = CloseSeries> = S & {
  /** Number of leading rows that are adjusted. The later ones are as traded. */
  readonly adjustedRows: number;
  /**
   * The ex days of the cash dividends that are not adjusted for, although the adjustment includes
   * dividends: those in another currency, and those that are not below the previous close. Ascending.
   */
  readonly unapplied: readonly EpochDay[];
};

/**
 * Adjusts a series to the basis of one day. Prices of sessions before an ex date are divided by the
 * factors of the later actions that have one. Volumes are multiplied by the factors of those that change
 * the number of units. The adjustment `total` multiplies prices also by 1 − dividend ÷ previous close for
 * each later cash dividend. The previous close is the last one before the ex date, on the basis of the ex
 * date. Actions whose ex date is after the basis day change nothing.
 *
 * The values are rounded to 8 decimals. The given columns do not change.
 *
 * @param series the whole series up to the basis day. The previous closes come from it.
 * @param actions of the instrument, ascending by ex date
 * @param currency of the instrument
 */
export function adjustSeries<S extends CloseSeries | BarSeries>(
  series: S,
  {
    actions,
    adjustment,
    basisDay,
    currency,
  }: {
    readonly actions: readonly CorporateAction[];
    readonly adjustment: Adjustment;
    readonly basisDay: EpochDay;
    readonly currency: string;
  },
): AdjustedSeries<S> {
  const { days, closes } = series;
  const steps: Step[] = [];
  const unapplied: EpochDay[] = [];
  let [units, kept] = [1, 1];
  for (const action of actions.toReversed()) {
    if (action.exDay > basisDay || !isAdjustedFor(action, adjustment)) continue;
    const rows = rowsBefore(days, action.exDay);
    if (rows === 0) break;
    if (isFactorAction(action)) {
      if (changesUnits(action)) units *= action.factor;
      else kept /= action.factor;
    } else {
      const from = days[rows - 1] as EpochDay;
      const close = closes[rows - 1] as number;
      const previous = priceOnBasisOf(close, actions, { from, to: action.exDay });
      if (action.currency !== currency || action.amount >= previous) {
        unapplied.unshift(action.exDay);
        continue;
      }
      kept *= 1 - action.amount / previous;
    }
    steps.push({ rows, units, kept });
  }
  const columns = steps.length === 0 ? {} : adjustedColumns(series, steps);
  return { ...series, ...columns, adjustedRows: steps[0]?.rows ?? 0, unapplied };
}

/**
 * Adjusts a series to the basis of the latest session of its instrument: that of its quote, or of its last
 * close if that is later (contract 4.2.6).
 *
 * @param sessionDay of the quote; undefined without one
 */
export function adjustToLatest<S extends CloseSeries | BarSeries>(
  series: S,
  {
    sessionDay,
    ...given
  }: {
    readonly actions: readonly CorporateAction[];
    readonly adjustment: Adjustment;
    readonly currency: string;
    readonly sessionDay: EpochDay | undefined;
  },
): AdjustedSeries<S> {
  const lastDay = series.days.at(-1) ?? firstEpochDay;
  const basisDay = Math.max(lastDay, sessionDay ?? firstEpochDay) as EpochDay;
  return adjustSeries(series, { ...given, basisDay });
}

/** The first ex day after a day of the actions that an adjustment includes; undefined if none is. */
export function nextExDay(
  actions: readonly CorporateAction[],
  { after, adjustment }: { readonly after: EpochDay; readonly adjustment: Adjustment },
): EpochDay | undefined {
  return actions.find((action) => action.exDay > after && isAdjustedFor(action, adjustment))?.exDay;
}

function isAdjustedFor(
  action: CorporateAction,
  adjustment: Adjustment,
): action is Extract<CorporateAction, { factor: number }> | CashDividend {
  if (isFactorAction(action)) return adjustment !== 'none';
  return action.type === 'cash-dividend' && adjustment === 'total';
}

/** What applies to the rows before an ex date, except those of the earlier steps in time. */
interface Step {
  readonly rows: number;
  /** Units of the basis day that one unit has become. */
  readonly units: number;
  /** Share of the price that is left after the cash dividends, the rights and the spin-offs. */
  readonly kept: number;
}

const priceColumns = ['closes', 'opens', 'highs', 'lows'] as const;

function adjustedColumns(
  series: CloseSeries & Partial<BarSeries>,
  steps: readonly Step[],
): Partial<BarSeries> {
  const volumes = adjustedColumn(series.volumes, steps, (volume, { units }) => volume * units);
  const prices = priceColumns.flatMap((name) => {
    const column = series[name];
    if (column === undefined) return [];
    return [[name, adjustedColumn(column, steps, (price, by) => (price / by.units) * by.kept)]];
  });
  return { volumes, ...Object.fromEntries(prices) };
}

function adjustedColumn(
  column: Float64Array,
  steps: readonly Step[],
  adjust: (value: number, by: Step) => number,
): Float64Array {
  const adjusted = column.slice();
  let row = 0;
  for (const step of steps.toReversed()) {
    for (; row < step.rows; row += 1) {
      adjusted[row] = roundAdjusted(adjust(column[row] ?? Number.NaN, step));
    }
  }
  return adjusted;
}
