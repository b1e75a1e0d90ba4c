import type { InstrumentInfo } from '../api/quote.ts';

/** The unit of the prices of an instrument: `ARS`, `USD`, `%`, `puntos básicos`. Empty if unknown. */
export function unitNameOf(info: Pick<InstrumentInfo, 'moneda'> | undefined): string {
  return info?.moneda === 'bp' ? 'puntos básicos' : (info?.moneda ?? '');
}
