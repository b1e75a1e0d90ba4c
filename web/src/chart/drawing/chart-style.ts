import { preference } from '../../ui/preferences.ts';
import type { ChartStyle } from './bars.ts';

const styles: readonly [ChartStyle, ...ChartStyle[]] = ['candles', 'line'];

/** How the user wants prices to be drawn. The browser stores it. */
export const chartStyle = preference<ChartStyle>('pizarra.chart', styles);
