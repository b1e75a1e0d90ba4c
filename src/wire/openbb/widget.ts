/**
 * A widget of OpenBB Workspace: the part of its format (`widgets.json`) that Pizarra uses. The types allow only
 * values that Workspace knows.
 *
 * Source: OpenBB-finance/openbb-docs, `content/workspace/developers/json-specs/widgets-json-reference.md`.
 */
export type Widget = TableWidget | ChartWidget;

interface WidgetHead {
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly source: readonly string[];
  /** Relative to the address that a user enters for the service. */
  readonly endpoint: string;
  /** At most 40 wide and 100 high. */
  readonly gridData: { readonly w: number; readonly h: number };
}

/** A table of the rows of a path, with what a user may choose. */
export interface TableWidget extends WidgetHead {
  readonly type: 'table';
  readonly params: readonly WidgetParam[];
  /** How often a widget that is shown requests its rows, in milliseconds. Absent: every 15 minutes. */
  readonly refetchInterval?: number;
  /** The age from which rows are requested again when a user returns to them, in milliseconds. */
  readonly staleTime?: number;
  readonly data: {
    readonly table: {
      readonly showAll: true;
      readonly columnsDefs: readonly WidgetColumn[];
      readonly enableCharts?: true;
      readonly chartView?: { readonly enabled: true; readonly chartType: 'line' };
    };
  };
}

/** A chart of TradingView over the paths below `/udf` (contract 4.15). */
export interface ChartWidget extends WidgetHead {
  readonly type: 'advanced_charting';
  readonly data: { readonly defaultSymbol: string; readonly updateFrequency: number };
}

/** A query parameter of the endpoint of a widget. */
export interface WidgetParam {
  readonly paramName: string;
  /** `endpoint` takes its options from another path. */
  readonly type: 'text' | 'date' | 'endpoint';
  /** The default. `$currentDate` is the day on which the widget is shown. */
  readonly value: string;
  readonly label: string;
  readonly description: string;
  readonly options?: readonly WidgetOption[];
  readonly optionsEndpoint?: string;
  /** False for a parameter that is always sent with its default. */
  readonly show?: false;
  readonly style?: { readonly popupWidth: number };
}

/** A value of a parameter, with its name for people. */
export interface WidgetOption {
  readonly label: string;
  readonly value: string;
}

/** A column of a table. */
export interface WidgetColumn {
  /** The name of a field of a row. */
  readonly field: string;
  readonly headerName: string;
  readonly cellDataType: 'text' | 'number' | 'dateString';
  /** `percent` adds the sign to the number and does not multiply it. */
  readonly formatterFn?: 'none' | 'percent';
  readonly renderFn?: 'greenRed' | 'cellOnClick';
  /** A click on a cell sets this parameter in the widgets of the same group. */
  readonly renderFnParams?: {
    readonly actionType: 'groupBy';
    readonly groupBy: { readonly paramName: string };
  };
  readonly pinned?: 'left';
  readonly chartDataType?: 'time' | 'series' | 'excluded';
}

const common = {
  category: 'Pizarra',
  source: ['Pizarra'],
  gridData: { w: 20, h: 12 },
} as const;

/** A widget whose values change during a session is requested again every minute. */
const live = { refetchInterval: 60_000, staleTime: 30_000 } as const;

/** A table widget of the usual size. */
export function tableWidget({
  name,
  description,
  endpoint,
  params,
  columns,
  isLive = false,
  hasChart = false,
}: Pick<TableWidget, 'name' | 'description' | 'endpoint' | 'params'> & {
  readonly columns: readonly WidgetColumn[];
  readonly isLive?: boolean;
  /** Whether it is shown as a line, which a user may exchange for the table. */
  readonly hasChart?: boolean;
}): TableWidget {
  const table = { showAll: true, columnsDefs: columns } as const;
  const chart = { enableCharts: true, chartView: { enabled: true, chartType: 'line' } } as const;
  return {
    name,
    description,
    ...common,
    type: 'table',
    endpoint,
    params,
    ...(isLive ? live : {}),
    data: { table: hasChart ? { ...table, ...chart } : table },
  };
}

/** A chart of an instrument, which shows another one when a user searches it. */
export function chartWidget({
  name,
  description,
  symbol,
}: Pick<ChartWidget, 'name' | 'description'> & { readonly symbol: string }): ChartWidget {
  return {
    name,
    description,
    ...common,
    type: 'advanced_charting',
    endpoint: '/udf',
    gridData: { w: 20, h: 20 },
    data: { defaultSymbol: symbol, updateFrequency: 60_000 },
  };
}
