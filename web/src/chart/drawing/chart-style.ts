import { preference } from '../../ui/preferences.ts';
import { isNarrow } from '../../ui/screen-size.ts';
import type { ChartStyle } from './bars.ts';

/**
 * How the user wants prices to be drawn. The browser stores it. A phone begins with a line, because the candles
 * of a year are dust on it.
 */
export const chartStyle = preference<ChartStyle>(
  'pizarra.chart',
  isNarrow.peek() ? ['line', 'candles'] : ['candles', 'line'],
);
