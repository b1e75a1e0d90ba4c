import type { WidgetColumn } from './widget.ts';

/** The parameter that a click on a ticker sets in the other widgets of a group. */
export const tickerParam = 'especie';

/** Tickers. A click on one shows it in the widgets of the same group. */
export function tickerColumn(field: string, headerName: string): WidgetColumn {
  return {
    ...textCells(field, headerName),
    pinned: 'left',
    renderFn: 'cellOnClick',
    renderFnParams: { actionType: 'groupBy', groupBy: { paramName: tickerParam } },
  };
}

/** Texts, such as names and times of day. */
export function textCells(field: string, headerName: string): WidgetColumn {
  return { field, headerName, cellDataType: 'text' };
}

/** Dates as `YYYY-MM-DD`. */
export function dateCells(field: string, headerName: string): WidgetColumn {
  return { field, headerName, cellDataType: 'dateString' };
}

/** Numbers with the decimals that they have. */
export function numberCells(field: string, headerName: string): WidgetColumn {
  return { field, headerName, cellDataType: 'number', formatterFn: 'none' };
}

/** Percentages: 12 means 12 %. */
export function percentCells(field: string, headerName: string): WidgetColumn {
  return { field, headerName, cellDataType: 'number', formatterFn: 'percent' };
}

/** The same column with values below zero in red, and above zero in green. */
export function signed(column: WidgetColumn): WidgetColumn {
  return { ...column, renderFn: 'greenRed' };
}

/** The same column on the axis of time of a chart, as a line of it, or in none. */
export function charted(
  column: WidgetColumn,
  chartDataType: WidgetColumn['chartDataType'] & string,
): WidgetColumn {
  return { ...column, chartDataType };
}
