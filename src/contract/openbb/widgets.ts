import type { Instrument } from '../../domain/instruments/instrument.ts';
import { canMature } from '../../domain/instruments/maturity.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { instantName } from '../../wire/texts/instant-texts.ts';
import { choiceNames } from '../paths/choice-names.ts';
import { bondHistoryTable, bonosHistoricos } from '../paths/bonos-historicos.ts';
import { bonosFlujos, flowTable } from '../paths/bonos-flujos.ts';
import { bonos, bondTable } from '../paths/bonos.ts';
import { cotizaciones } from '../paths/cotizaciones.ts';
import { dolares, dollarTable } from '../paths/dolares.ts';
import { eventos, eventTable } from '../paths/eventos.ts';
import { historicos, historyTable } from '../paths/historicos.ts';
import { indexValues, indices } from '../paths/indices.ts';
import { intradiarios } from '../paths/intradiarios.ts';
import { ranking } from '../paths/ranking.ts';
import { barTable } from '../rows/bar.ts';
import { quoteTable } from '../rows/quote.ts';
import {
  anyTicker,
  chartWidget,
  columnsOf,
  hidden,
  optionsOf,
  param,
  tableWidget,
  tickerOptions,
  tickerParam,
  type Widget,
  type WidgetColumn,
  type WidgetOption,
} from './widget.ts';

/** The panel of values that are no prices of securities. It mixes changes in percent and in points. */
const indicatorPanel = 'IND';

type Widgets = Readonly<Record<string, Widget>>;

/**
 * The widgets of a universe by their ids, in the order of a list of them (contract 4.17). A widget whose options
 * would be empty is left out.
 */
export function widgetsOf(universe: Universe): Widgets {
  const ticker = preferred(tickerOptions(universe.instruments), 'GGAL');
  return {
    ...panelWidgets(universe),
    ...indicatorWidgets(universe.listOf(indicatorPanel)),
    ...(ticker === undefined ? {} : instrumentWidgets(ticker)),
    ...dollarWidgets,
    ...bondWidgets(universe),
    ...indexWidgets,
  };
}

/** A value that most users want if it is among the options, else the first of them. */
function preferred(options: readonly WidgetOption[], wanted: string): string | undefined {
  return (options.find(({ value }) => value === wanted) ?? options[0])?.value;
}

/** The panels of a universe that a condition selects, in the order of the contract, without the alias. */
function panelOptions(
  universe: Universe,
  isOption: (code: string, members: readonly Instrument[]) => boolean,
): readonly WidgetOption[] {
  const codes = Object.keys(choiceNames.Panel) as readonly (keyof typeof choiceNames.Panel)[];
  const shown = codes.filter((code) => code !== 'BON' && isOption(code, universe.listOf(code)));
  return optionsOf(Object.fromEntries(shown.map((code) => [code, choiceNames.Panel[code]])));
}

/** The columns of quotes. The change has a percent sign only where it is in percent for all of them. */
function quoteColumns(
  instruments: readonly Instrument[],
  last: readonly string[] = [],
): readonly WidgetColumn[] {
  const { plain, fields } = quoteTable();
  const isPercent = instruments.every(({ changeUnit }) => changeUnit === 'percent');
  const signed = { renderFn: 'greenRed' } as const;
  return columnsOf(
    { fields },
    {
      except: Object.keys(fields).filter((name) => !(name in plain.fields)),
      last: ['fecha', 'hora', ...last],
      more: {
        variacion: { ...signed, formatterFn: isPercent ? 'percent' : 'none' },
        varMTD: signed,
        varYTD: signed,
      },
    },
  );
}

function panelWidgets(universe: Universe): Widgets {
  const options = panelOptions(
    universe,
    (code, members) => code !== indicatorPanel && members.length > 0,
  );
  const value = preferred(options, 'LID');
  if (value === undefined) return {};
  const codes = new Set(options.map((one) => one.value));
  const members = [...universe.panels].flatMap(([code, list]) => (codes.has(code) ? list : []));
  return {
    pizarra_panel: tableWidget(cotizaciones, {
      name: 'Panel',
      description: 'Últimas cotizaciones de un panel: acciones, bonos, CEDEARs, ADRs o ETFs',
      params: [param(cotizaciones, 'panel', value, { options })],
      columns: quoteColumns(members),
      isLive: true,
    }),
    pizarra_ranking: tableWidget(ranking, {
      name: 'Ranking',
      description: 'Especies de un panel que más subieron, bajaron u operaron en la rueda',
      params: [
        param(ranking, 'panel', value, { options }),
        param(ranking, 'por', 'variacion'),
        param(ranking, 'orden', 'desc'),
        param(ranking, 'limite', '10', { options: optionsOf({ 10: '10', 20: '20', 50: '50' }) }),
        param(ranking, 'campos', 'monto', hidden),
      ],
      columns: quoteColumns(members, ['monto']),
      isLive: true,
    }),
  };
}

function indicatorWidgets(indicators: readonly Instrument[]): Widgets {
  if (indicators.length === 0) return {};
  const { options: _, ...panel } = param(cotizaciones, 'panel', indicatorPanel, hidden);
  return {
    pizarra_indicadores: tableWidget(cotizaciones, {
      name: 'Índices, dólares y tasas',
      description: 'Últimas cotizaciones de índices, tipos de cambio, tasas, brechas y riesgo país',
      params: [panel],
      columns: quoteColumns(indicators),
      isLive: true,
    }),
  };
}

/** The widgets of one instrument. */
function instrumentWidgets(ticker: string): Widgets {
  const closes = (
    about: { readonly name: string; readonly description: string },
    currency?: string,
  ) =>
    tableWidget(historicos, {
      ...about,
      params: [
        param(historicos, tickerParam, ticker, anyTicker),
        param(historicos, 'desde', '$currentDate-1y'),
        param(historicos, 'hasta', '$currentDate'),
        param(historicos, 'intervalo', '1d'),
        param(historicos, 'ajuste', 'splits'),
        ...(currency === undefined
          ? []
          : [param(historicos, 'moneda', currency), param(historicos, 'dolar', 'mep')]),
        param(historicos, 'campos', 'apertura,maximo,minimo', hidden),
      ],
      columns: columnsOf(historyTable(), {
        except: [tickerParam, instantName],
        more: { ultimo: { headerName: 'Cierre' } },
      }),
      hasChart: true,
    });
  return {
    pizarra_historico: closes({
      name: 'Cierres',
      description: 'Cierres de una especie por rueda, semana o mes, como gráfico o como tabla',
    }),
    // Workspace sends every parameter with a value, and closes in their own currency have no `moneda`.
    pizarra_historico_moneda: closes(
      {
        name: 'Cierres en otra moneda',
        description:
          'Los mismos cierres, convertidos a dólares o a pesos con el dólar que se elige',
      },
      'USD',
    ),
    pizarra_intradia: tableWidget(intradiarios, {
      name: 'Barras del día',
      description: 'Barras de minutos de la última rueda de una especie',
      params: [
        param(intradiarios, tickerParam, ticker, anyTicker),
        param(intradiarios, 'intervalo', '5m'),
      ],
      columns: columnsOf(barTable(), { except: [tickerParam, instantName] }),
      isLive: true,
    }),
    pizarra_eventos: tableWidget(eventos, {
      name: 'Eventos corporativos',
      description: 'Splits, dividendos, cambios de ratio y de ticker de una especie',
      params: [
        param(eventos, tickerParam, ticker, anyTicker),
        param(eventos, 'desde', '$currentDate-5y'),
        // Announced actions have a date to come.
        param(eventos, 'hasta', '$currentDate+1y'),
      ],
      columns: columnsOf(eventTable, { except: [tickerParam] }),
    }),
    pizarra_grafico: chartWidget(ticker, {
      name: 'Gráfico',
      description: 'Gráfico de TradingView de cualquier especie, de minutos a meses',
    }),
  };
}

const dollarWidgets: Widgets = {
  pizarra_dolares: tableWidget(dolares, {
    name: 'Dólares',
    description: 'Precios del dólar: publicados, MEP y contado con liquidación, con su brecha',
    params: [],
    columns: columnsOf(dollarTable),
    isLive: true,
  }),
  pizarra_dolar: tableWidget(dolares, {
    name: 'Un dólar por base',
    description:
      'Un dólar en cada especie que lo implica; el contado con liquidación, también en los CEDEARs',
    params: [param(dolares, 'dolar', 'ccl')],
    columns: columnsOf(dollarTable),
    isLive: true,
  }),
};

/** The widgets of bonds. There are none in a universe without terms of bonds, which has no figures of them. */
function bondWidgets(universe: Universe): Widgets {
  const issues = tickerOptions(universe.bondTerms.map(({ ticker }) => universe.get(ticker)));
  const issue = preferred(issues, 'AL30');
  if (issue === undefined) return {};
  const panels = panelOptions(universe, (_, members) =>
    members.some(({ kind }) => canMature(kind)),
  );
  const panel = preferred(panels, 'BONOS');
  const figures = (value: string): Widget =>
    tableWidget(bonos, {
      name: 'Rendimientos de bonos',
      description: 'TIR, duration, paridad y valor técnico de los bonos y las letras',
      params: [
        param(bonos, 'panel', value, { options: panels }),
        param(bonos, 'convencion', 'pizarra'),
        param(bonos, 'dolar', 'mep'),
      ],
      columns: columnsOf(bondTable, {
        except: ['tipoCambio', 'convexidad', 'indice', 'fechaIndice', 'valorIndice'],
        last: ['liquidacion', 'fecha', 'hora', 'supuesto', 'estado'],
      }),
      isLive: true,
    });
  const ofIssues = {
    label: 'Bono',
    description: 'Bono o letra cuyas condiciones se conocen',
    options: issues,
  };
  return {
    ...(panel === undefined ? {} : { pizarra_bonos: figures(panel) }),
    pizarra_historia_bono: tableWidget(bonosHistoricos, {
      name: 'TIR de un bono en el tiempo',
      description:
        'TIR de un bono a cada cierre y su diferencia con la de otro, como gráfico o como tabla',
      params: [
        param(bonosHistoricos, tickerParam, issue, ofIssues),
        param(bonosHistoricos, 'contra', preferred(issues, 'GD30') ?? issue, {
          label: 'Comparado con',
          options: issues,
        }),
        param(bonosHistoricos, 'desde', '$currentDate-1y'),
        param(bonosHistoricos, 'hasta', '$currentDate'),
        param(bonosHistoricos, 'convencion', 'pizarra'),
        param(bonosHistoricos, 'dolar', 'mep'),
      ],
      columns: columnsOf(bondHistoryTable, {
        except: [tickerParam, 'liquidacion'],
        last: [
          'diferencia',
          'tna',
          'tem',
          'durationModificada',
          'precio',
          'paridad',
          'valorTecnico',
          'estado',
        ],
      }),
      hasChart: true,
    }),
    pizarra_flujos: tableWidget(bonosFlujos, {
      name: 'Flujo de fondos',
      description: 'Pagos futuros de un bono o una letra, por cada 100 de valor nominal original',
      params: [param(bonosFlujos, tickerParam, issue, ofIssues)],
      columns: columnsOf(flowTable),
    }),
  };
}

/** The values of an index or a rate. Those of days to come are included. */
const indexWidgets: Widgets = {
  pizarra_indices: tableWidget(indices, {
    name: 'CER, UVA y tasas de referencia',
    description: 'Valores de un índice o una tasa de referencia, como gráfico o como tabla',
    params: [param(indices, 'indice', 'CER'), param(indices, 'desde', '$currentDate-1y')],
    columns: columnsOf(indexValues, { except: ['indice'] }),
    hasChart: true,
  }),
};
