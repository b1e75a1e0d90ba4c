import type { InstrumentInfo } from '../../market/api/quote.ts';
import type { ChangeUnit } from '../../market/format/numbers.ts';
import type { Freshness } from '../../market/freshness.ts';
import type { Row } from '../../market/live-quotes.ts';

/** One instrument of a heat map. */
export interface HeatTile {
  readonly ticker: string;
  readonly change: number | null;
  /** Its session. Only a change of the current one has a colour, and only its amount has an area. */
  readonly freshness: Freshness;
  /** The traded amount. Undefined if it is not known. */
  readonly amount: number | undefined;
  /** The day of its session. Undefined without a quote. */
  readonly day: string | undefined;
}

/** The steps of the colours, from the greatest fall to the greatest rise. */
export const heatSteps = [-3, -2, -1, 0, 1, 2, 3] as const;
export type HeatStep = (typeof heatSteps)[number];

/** The scales of a map: the size of a change from which it has the strongest colour, in percent. */
const scales = [1, 2, 3, 5];

/** The part of the changes of a day that its scale shows below the strongest colour. */
const insideMin = 0.8;

/** The least change that has a colour, in percent: it is not rounded to zero. */
const changeMin = 0.005;

/** The narrowest scale on which most changes of the day differ. */
export function scaleOf(tiles: readonly HeatTile[]): number {
  const sizes = tiles.flatMap(({ change, freshness }) =>
    change === null || freshness === 'earlier' ? [] : Math.abs(change),
  );
  const wide = scales.find(
    (scale) => sizes.filter((size) => size < scale).length >= sizes.length * insideMin,
  );
  return wide ?? Math.max(...scales);
}

/** The instruments of a map in one currency. Amounts in several currencies cannot be compared. */
export interface HeatGroup {
  readonly currency: string;
  /** With an amount above zero: the largest first. */
  readonly traded: readonly HeatTile[];
  /** Without a known amount, with none, or of an earlier session: in the order of the board. */
  readonly others: readonly HeatTile[];
}

/** Divides the rows of a board by currency. The group with the most instruments is the first. */
export function heatGroups(
  rows: readonly Row[],
  currencyOf: (ticker: string) => string | undefined,
  freshnessOf: (quote: NonNullable<Row['quote']>) => Freshness,
): readonly HeatGroup[] {
  const byCurrency = Map.groupBy(rows, ({ ticker }) => currencyOf(ticker) ?? '');
  const groups = [...byCurrency].map(([currency, members]) => {
    const tiles = members.map(({ ticker, quote }) => ({
      ticker,
      change: quote?.variacion ?? null,
      freshness: quote === undefined ? 'unknown' : freshnessOf(quote),
      day: quote?.fecha,
      amount: quote?.monto,
    }));
    return {
      currency,
      traded: tiles.filter(isTraded).toSorted((a, b) => (b.amount ?? 0) - (a.amount ?? 0)),
      others: tiles.filter((tile) => !isTraded(tile)),
    };
  });
  const sizeOf = ({ traded, others }: HeatGroup) => traded.length + others.length;
  return groups.toSorted((a, b) => sizeOf(b) - sizeOf(a));
}

/** The tiles of one kind of instruments. */
export interface HeatKind {
  readonly kind: InstrumentInfo['tipo'] | undefined;
  readonly group: HeatGroup;
  /** The part of the amount of its group, or of its tiles if no amount is known. */
  readonly part: number;
}

/** Divides the tiles of a map by the kind of their instruments, the kind with the largest part first. */
export function heatKinds(
  group: HeatGroup,
  kindOf: (ticker: string) => InstrumentInfo['tipo'] | undefined,
): readonly HeatKind[] {
  const tiles = tilesOf(group);
  const hasAmounts = group.traded.length > 0;
  const weightOf = (some: readonly HeatTile[]) =>
    hasAmounts ? some.reduce((sum, { amount }) => sum + (amount ?? 0), 0) : some.length;
  const whole = weightOf(tiles);
  return [...Map.groupBy(tiles, ({ ticker }) => kindOf(ticker))]
    .map(([kind, own]) => ({
      kind,
      group: hasAmounts ? { ...group, traded: own, others: [] } : { ...group, others: own },
      part: weightOf(own) / whole,
    }))
    .toSorted((a, b) => b.part - a.part);
}

/** Without any traded amount, as in a panel of indices, all areas are equal. */
export function tilesOf({ traded, others }: HeatGroup): readonly HeatTile[] {
  return traded.length > 0 ? traded : others.filter(({ day }) => day !== undefined);
}

function isTraded({ amount, freshness }: HeatTile): boolean {
  return amount !== undefined && amount > 0 && freshness !== 'earlier';
}

/**
 * The step of the colour of a change. A change in points has none, as in `wayOf`.
 *
 * @param scale as of {@link scaleOf}.
 */
export function heatStep(
  change: number | null,
  unit: ChangeUnit | undefined,
  scale: number,
): HeatStep {
  if (change === null || unit === 'points') return 0;
  const size = Math.abs(change);
  const step = size >= scale ? 3 : size >= scale / 2 ? 2 : size >= changeMin ? 1 : 0;
  return (change < 0 ? -step : step) as HeatStep;
}
