import type { Market } from '../../domain/calendar/market.ts';
import { udfTypeNames } from './udf-names.ts';

/** The lengths of bars that a chart may show. The library builds 30, 240, 1W and 1M from the others. */
const resolutions = ['1', '5', '15', '30', '60', '240', '1D', '1W', '1M'];

/**
 * The body of `/udf/config` (contract 4.15).
 *
 * @param markets those with instruments, in the order of the universe.
 */
export function configJson(markets: readonly Market[]): string {
  return JSON.stringify({
    supports_search: true,
    supports_group_request: false,
    supports_marks: false,
    supports_timescale_marks: true,
    supports_time: true,
    supported_resolutions: resolutions,
    exchanges: [
      { value: '', name: 'Todos los mercados', desc: '' },
      ...markets.map(({ code, name }) => ({ value: code, name: code, desc: name })),
    ],
    symbols_types: [
      { value: '', name: 'Todas' },
      ...Object.entries(udfTypeNames).map(([value, name]) => ({ value, name })),
    ],
  });
}
