import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { criterionNames, orderNames } from './choice-names.ts';
import { panelOptions } from './instrument-options.ts';
import {
  dateCells,
  numberCells,
  percentCells,
  signed,
  textCells,
  tickerColumn,
} from './widget-columns.ts';
import { choiceParam, fixedParam, optionsOf, panelParam, preferred } from './widget-params.ts';
import {
  tableWidget,
  type Widget,
  type WidgetColumn,
  type WidgetOption,
  type WidgetParam,
} from './widget.ts';

/** The panel of values that are no prices of securities. It mixes changes in percent and in points. */
const indicatorPanel = 'IND';

/** The lengths of a ranking, the default first. */
const rankingLengths = ['10', '20', '50'];

/** The widgets of the quotes of a panel. A widget for whose panels there are no instruments is left out. */
export function quoteWidgets(universe: Universe): Readonly<Record<string, Widget>> {
  const securities = panelOptions(
    universe,
    (code, members) => code !== indicatorPanel && members.length > 0,
  );
  const chosen = preferred(securities, 'LID');
  return {
    ...(chosen === undefined ? {} : panelWidgets(universe, securities, chosen)),
    ...(universe.listOf(indicatorPanel).length === 0
      ? {}
      : {
          pizarra_indicadores: tableWidget({
            name: 'Índices, dólares y tasas',
            description:
              'Últimas cotizaciones de índices, tipos de cambio, tasas, brechas y riesgo país',
            endpoint: 'cotizaciones',
            params: [fixedParam('panel', indicatorPanel, 'Panel')],
            columns: quoteColumns(universe.listOf(indicatorPanel)),
            isLive: true,
          }),
        }),
  };
}

function panelWidgets(
  universe: Universe,
  options: readonly WidgetOption[],
  value: string,
): Readonly<Record<string, Widget>> {
  const members = panelMembers(universe, options);
  const panel = panelParam(options, value);
  return {
    pizarra_panel: tableWidget({
      name: 'Panel',
      description: 'Últimas cotizaciones de un panel: acciones, bonos, CEDEARs, ADRs o ETFs',
      endpoint: 'cotizaciones',
      params: [panel],
      columns: quoteColumns(members),
      isLive: true,
    }),
    pizarra_ranking: tableWidget({
      name: 'Ranking',
      description: 'Especies de un panel que más subieron, bajaron u operaron en la rueda',
      endpoint: 'ranking',
      params: [panel, ...rankingParams],
      columns: [...quoteColumns(members), numberCells('monto', 'Monto')],
      isLive: true,
    }),
  };
}

const rankingParams: readonly WidgetParam[] = [
  choiceParam('por', {
    value: 'variacion',
    label: 'Ordenar por',
    description: 'Valor por el que se ordenan las especies',
    options: optionsOf(criterionNames),
  }),
  choiceParam('orden', {
    value: 'desc',
    label: 'Orden',
    description: 'De mayor a menor, o de menor a mayor',
    options: optionsOf(orderNames),
  }),
  choiceParam('limite', {
    value: '10',
    label: 'Cantidad',
    description: 'Cantidad máxima de especies',
    options: rankingLengths.map((length) => ({ label: length, value: length })),
  }),
  fixedParam('campos', 'monto', 'Campos'),
];

function panelMembers(
  { panels }: Universe,
  options: readonly WidgetOption[],
): readonly Instrument[] {
  const codes = new Set(options.map(({ value }) => value));
  return [...panels].flatMap(([code, members]) => (codes.has(code) ? members : []));
}

/** The columns of quotes. The change has a percent sign only where it is in percent for all of them. */
function quoteColumns(instruments: readonly Instrument[]): readonly WidgetColumn[] {
  const isPercent = instruments.every(({ changeUnit }) => changeUnit === 'percent');
  const change = (isPercent ? percentCells : numberCells)('variacion', 'Variación');
  return [
    tickerColumn('especie', 'Especie'),
    numberCells('ultimo', 'Último'),
    signed(change),
    numberCells('anterior', 'Anterior'),
    numberCells('apertura', 'Apertura'),
    numberCells('minimo', 'Mínimo'),
    numberCells('maximo', 'Máximo'),
    signed(percentCells('varMTD', 'Variación del mes')),
    signed(percentCells('varYTD', 'Variación del año')),
    numberCells('volumen', 'Volumen'),
    dateCells('fecha', 'Fecha'),
    textCells('hora', 'Hora'),
  ];
}
