import type { Instrument } from '../../domain/instruments/instrument.ts';
import { choicesOf } from '../paths/choice-names.ts';
import type { AnyOperation } from '../operation.ts';
import { summaryOf } from '../part.ts';
import { tickerOptions as tickerOptionsOperation } from '../paths/texts.ts';
import type { FieldAbout } from '../table.ts';

/**
 * A widget of OpenBB Workspace: the part of its format (`widgets.json`) that Pizarra uses. The document of the contract
 * says what each member means, and which values Workspace knows.
 *
 * Source: OpenBB-finance/openbb-docs, `content/workspace/developers/json-specs/widgets-json-reference.md`.
 */
export type Widget = ReturnType<typeof tableWidget> | ReturnType<typeof chartWidget>;

/** A query parameter of the endpoint of a widget. */
export interface WidgetParam {
  readonly paramName: string;
  readonly type: 'text' | 'date' | 'endpoint';
  readonly value: string;
  readonly label: string;
  readonly description: string;
  readonly options?: readonly WidgetOption[];
  readonly optionsEndpoint?: string;
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
  readonly field: string;
  readonly headerName: string;
  readonly cellDataType: 'text' | 'number' | 'dateString';
  readonly formatterFn?: 'none' | 'percent';
  readonly renderFn?: 'greenRed' | 'cellOnClick';
  readonly renderFnParams?: object;
  readonly pinned?: 'left';
  readonly chartDataType?: 'time' | 'series' | 'excluded';
}

/** The parameter and the field of a ticker. A click on one sets the parameter in the other widgets of a group. */
export const tickerParam = 'especie';

const common = { category: 'Pizarra', source: ['Pizarra'], gridData: { w: 20, h: 12 } } as const;

/** A table widget of the usual size, with the rows of a path. */
export function tableWidget(
  { path }: Pick<AnyOperation, 'path'>,
  {
    columns,
    isLive = false,
    hasChart = false,
    ...about
  }: {
    readonly name: string;
    readonly description: string;
    readonly params: readonly WidgetParam[];
    readonly columns: readonly WidgetColumn[];
    /** Whether its values change during a session: then they are requested again every minute. */
    readonly isLive?: boolean;
    /** Whether its first number is shown as a line over its date, which a user may exchange for the table. */
    readonly hasChart?: boolean;
  },
) {
  const series = columns.find(({ cellDataType }) => cellDataType === 'number');
  const charted = columns.map((column): WidgetColumn => {
    const isTime = column.cellDataType === 'dateString';
    return {
      ...column,
      chartDataType: isTime ? 'time' : column === series ? 'series' : 'excluded',
    };
  });
  const chart = { enableCharts: true, chartView: { enabled: true, chartType: 'line' } };
  const table = { showAll: true, columnsDefs: hasChart ? charted : columns };
  return {
    ...about,
    ...common,
    type: 'table' as const,
    endpoint: path.slice(1),
    ...(isLive ? { refetchInterval: 60_000, staleTime: 30_000 } : {}),
    data: { table: { ...table, ...(hasChart ? chart : {}) } },
  };
}

/** A chart of an instrument, which shows another one when a user searches it. */
export function chartWidget(
  symbol: string,
  about: { readonly name: string; readonly description: string },
) {
  return {
    ...about,
    ...common,
    type: 'advanced_charting' as const,
    endpoint: '/udf',
    gridData: { w: 20, h: 20 },
    data: { defaultSymbol: symbol, updateFrequency: 60_000 },
  };
}

/** The columns of a table of the contract, with its titles, types and units. Tickers can be clicked. */
export function columnsOf(
  { fields }: { readonly fields: Readonly<Record<string, { readonly about: FieldAbout }>> },
  {
    except = [],
    last = [],
    more = {},
  }: {
    /** The fields that are not shown. */
    readonly except?: readonly string[];
    /** The fields that are shown after the others. */
    readonly last?: readonly string[];
    /** What a column has besides, or in place of what follows from its field. */
    readonly more?: Readonly<Record<string, Partial<WidgetColumn>>>;
  } = {},
): readonly WidgetColumn[] {
  const names = Object.keys(fields).filter((name) => !except.includes(name));
  const ordered = [...names.filter((name) => !last.includes(name)), ...last];
  return ordered.map((name) => ({ ...columnOf(name, fields[name]?.about), ...more[name] }));
}

function columnOf(field: string, about: FieldAbout | undefined): WidgetColumn {
  const head = { field, headerName: titleOf(field) };
  const { type, format } = typeof about?.schema === 'object' ? about.schema : { type: 'string' };
  if (type === 'number' || type === 'integer') {
    const formatterFn = about?.unit === '%' ? 'percent' : 'none';
    return { ...head, cellDataType: 'number', formatterFn };
  }
  if (format === 'date') return { ...head, cellDataType: 'dateString' };
  if (field !== tickerParam) return { ...head, cellDataType: 'text' };
  return {
    ...head,
    cellDataType: 'text',
    pinned: 'left',
    renderFn: 'cellOnClick',
    renderFnParams: { actionType: 'groupBy', groupBy: { paramName: tickerParam } },
  };
}

/** A parameter of a path with its title, its text, and the names of its values for people. */
export function param(
  { inputs }: Pick<AnyOperation, 'inputs'>,
  paramName: string,
  value: string,
  more: Partial<WidgetParam> = {},
): WidgetParam {
  const input = inputs[paramName];
  if (input === undefined) throw new Error(`the path has no parameter ${paramName}`);
  const { schema } = input;
  const isDate = typeof schema === 'object' && schema['format'] === 'date';
  const names = choicesOf(input);
  return {
    paramName,
    type: isDate ? 'date' : 'text',
    value,
    label: titleOf(paramName),
    // Workspace shows no Markdown.
    description: summaryOf(input).replaceAll('`', ''),
    ...(names === undefined ? {} : { options: optionsOf(names) }),
    ...more,
  };
}

/** What a parameter has that a user does not see. */
export const hidden: Partial<WidgetParam> = {
  description: 'Se envía siempre con este valor',
  show: false,
};

/** What a choice among all instruments has. The list is long, so that it is not repeated in each widget. */
export const anyTicker: Partial<WidgetParam> = {
  type: 'endpoint',
  optionsEndpoint: tickerOptionsOperation.path.slice(1),
  style: { popupWidth: 450 },
};

/** The options of values by their name for people, in order. */
export function optionsOf(names: Readonly<Record<string, string>>): readonly WidgetOption[] {
  return Object.entries(names).map(([value, label]) => ({ label, value }));
}

/** Instruments as the options of a ticker. People know an instrument by its ticker or by its name. */
export function tickerOptions(instruments: readonly Instrument[]): readonly WidgetOption[] {
  return instruments.map(({ ticker, name }) => ({
    label: name === ticker ? ticker : `${ticker} · ${name}`,
    value: ticker,
  }));
}

/** The titles of names of the contract, or of single words in them, that are not spelled as their titles. */
const titles: Readonly<Record<string, string>> = {
  ajustado: 'total ajustado',
  amortizacion: 'amortización',
  calculo: 'cálculo',
  convencion: 'convención',
  dolar: 'dólar',
  indice: 'índice',
  interes: 'interés',
  limite: 'cantidad',
  liquidacion: 'liquidación',
  maximo: 'máximo',
  minimo: 'mínimo',
  por: 'ordenar por',
  tecnico: 'técnico',
  tem: 'TEM',
  tir: 'TIR',
  tna: 'TNA',
  ultimo: 'último',
  'var mtd': 'variación del mes',
  'var ytd': 'variación del año',
  variacion: 'variación',
};

/** The title of a parameter or a field: `valorTecnico` is "Valor técnico". */
function titleOf(name: string): string {
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  const title = titles[words] ?? words.replaceAll(/\w+/g, (word) => titles[word] ?? word);
  return title.charAt(0).toUpperCase() + title.slice(1);
}
