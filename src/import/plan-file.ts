import type { Instrument } from '../domain/instruments/instrument.ts';
import { withActionColumns } from './actions/action-columns.ts';
import { ImportRefusal } from './refusals/import-refusal.ts';
import { bindSeries, nameRulesOf, type BindingContext, type BoundSeries } from './names/binding.ts';
import type { CloseTargets } from './closes/close-target.ts';
import type { Decimal } from './cells/number-format.ts';
import { closesIn, type Check } from './checks/checked-table.ts';
import { longerBars, shiftedDays } from './checks/refuse-other-days.ts';
import { alikeValues, mixedRows, noPrices } from './checks/refuse-no-prices.ts';
import { otherCurrency, otherSessions } from './checks/refuse-other-instrument.ts';
import {
  otherMeaningOf,
  type KnownNames,
  type NameRules,
  type OtherMeaning,
} from './names/naming.ts';
import type { TableHead } from './layouts/layout.ts';
import { checkDay } from './closes/read-close.ts';
import { recognise, type SettledReading } from './recognition/recognise.ts';
import { settleVolumes, settleZone } from './checks/settle.ts';
import type { TrialOptions } from './refusals/tried-advice.ts';

/** Every check of a table, in order: the first that refuses it gives the reason. */
const checks: readonly Check[] = [
  mixedRows,
  noPrices,
  alikeValues,
  longerBars,
  otherCurrency,
  shiftedDays,
  otherSessions,
];

/** How a file is imported: how its rows are read, and the instruments of its closes. */
export interface FilePlan {
  readonly reading: SettledReading;
  /** The decimal sign of each column of volumes, where it is not that of the prices. */
  readonly volumeDecimals: ReadonlyMap<number, Decimal>;
  readonly series: readonly BoundSeries[];
  readonly columnsUnknown: readonly string[];
  /** The columns that are left out because their names may be words, with what they may be. */
  readonly columnsDoubtful: readonly string[];
  /** The headings of dividends and splits. */
  readonly actionHeadings: readonly string[];
  readonly names: NameRules;
  /** The other meaning of a ticker, which the closes may still show. */
  readonly otherMeaning: OtherMeaning;
  /**
   * Which closes are right if those of the file are on another level than the stored ones. With `unknown`, the file may
   * be of another instrument. With `of-file`, the operator has confirmed it.
   */
  readonly rightLevel: 'unknown' | 'stored' | 'of-file';
}

/** What a plan depends on besides the file and the options. */
export interface PlanSite {
  readonly universe: KnownNames;
  readonly targets: CloseTargets;
}

/**
 * Decides how a file is imported, from its name, its first rows and the operator's options.
 *
 * @throws {ImportRefusal} when the first rows are not daily prices, or several readings are possible.
 */
export function planFile(head: TableHead, options: TrialOptions, site: PlanSite): FilePlan {
  const isWanted = options.actions === true;
  const found = withActionColumns(recognise(head, options), isWanted);
  const { reading: recognised, headings: actionHeadings } = found;
  const { ticker, suffix, column, zone } = options;
  const context: BindingContext = { ...site, ticker, suffix, column };
  const { series, columnsUnknown, columnsDoubtful } = bindSeries(recognised, context);
  const reading = settleZone(recognised, series, zone);
  const names = nameRulesOf(reading, context);
  const isOfAnyMarket = reading.naming === 'ticker' || reading.naming === 'bare';
  const isUnproven = isOfAnyMarket && ticker === undefined && suffix === undefined;
  const otherMeaning = (instrument: Instrument) =>
    isUnproven ? otherMeaningOf(instrument, site.universe) : undefined;
  const table = { reading, series, options, ...site, otherMeaning };
  for (const check of checks) check(table);
  const volumeDecimals = settleVolumes(reading, series, options.decimal);
  const rightLevel =
    options.replace === true ? 'of-file' : ticker === undefined ? 'unknown' : 'stored';
  return {
    reading,
    volumeDecimals,
    series,
    columnsUnknown,
    columnsDoubtful,
    actionHeadings,
    names,
    otherMeaning,
    rightLevel,
  };
}

/**
 * Decides whether an import with these options would accept a row of the first rows, before the operator
 * is advised to use them.
 *
 * @throws {ImportRefusal} when it would be refused, or accept none of these rows.
 */
export function tryPlan(head: TableHead, options: TrialOptions, site: PlanSite): void {
  const { reading, series } = planFile(head, options, site);
  const isAccepted = closesIn({ reading }, ...series).some(
    ({ day, close, target }) =>
      target !== undefined && checkDay(day, target) === undefined && (close > 0 || !target.isPrice),
  );
  if (!isAccepted)
    throw new ImportRefusal('option-mismatch', 'no row has a close with these options');
}
