import type { InstrumentPlace } from '../../places/route.ts';

/** Whether a place can show the volume-weighted price: of one instrument, on the chart of one day. */
export function canBeWeighted({ range, compared }: InstrumentPlace): boolean {
  return range === '1d' && compared.length === 0;
}

/** Whether a place shows the volume-weighted price. */
export function isWeightedDay(place: InstrumentPlace): boolean {
  return place.isWeighted && canBeWeighted(place);
}
