import { settlementOf } from '../../domain/calendar/business-days.ts';
import type { Bonds } from '../../domain/bonds/bonds.ts';
import { growthOf, valuesOf } from '../../domain/bonds/index-growth.ts';
import type { IndexSeries } from '../../domain/indices/index-series.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { flowTable } from '../../wire/bodies/bond-body.ts';
import type { ListedFlow } from '../../wire/bodies/bond-body.ts';
import { flowParameters, parseFlowParams } from '../../wire/params/reference/bond-params.ts';
import type { FlowQuery } from '../../wire/params/reference/bond-params.ts';
import { Body } from '../content/body.ts';
import type { TableSource } from '../content/content.ts';
import { mediaTypeOf } from '../content/negotiation.ts';
import { MissingInputs } from '../bonds/missing-inputs.ts';

/** The payments of one bond (contract 4.11). They are few and change once a day, so nothing is cached. */
export function bonosFlujos({
  universe,
  bonds,
  indices,
  clock,
}: {
  readonly universe: Universe;
  readonly bonds: Bonds;
  readonly indices: () => IndexSeries;
  readonly clock: Clock;
}): TableSource {
  const calendars = new MarketCalendars(universe);

  const flowsOf = (query: FlowQuery, missing: MissingInputs): readonly ListedFlow[] => {
    const instrument = universe.find(query.ticker);
    if (instrument === undefined) {
      missing.tickers.add(query.ticker);
      return [];
    }
    const bond = bonds.of(instrument);
    if (bond === undefined) {
      missing.terms.add(instrument.ticker);
      return [];
    }
    const today = calendars.of(instrument).dateAt(clock.now());
    const settlement = settlementOf(bond.days, today, query.term ?? 'next-day');
    const { ratio, used } = growthOf(bond, settlement, valuesOf(indices()));
    if (used?.value === null) missing.indices.add(`${used.index} ${used.day}`);
    const from = query.from ?? today;
    return bond.flows.filter(({ date }) => date >= from).map((flow) => ({ flow, ratio }));
  };

  return {
    path: '/bonos/flujos',
    parameters: flowParameters,
    find: (rawQuery, format) => {
      const query = parseFlowParams(rawQuery);
      if (!query.ok) return query;
      const missing = new MissingInputs();
      const parts = [Buffer.from(flowTable.render(flowsOf(query.value, missing), format))];
      const body = new Body({ type: mediaTypeOf(format), parts, mayCompress: () => false });
      return { ok: true, value: { body, fields: missing.fields() } };
    },
  };
}
