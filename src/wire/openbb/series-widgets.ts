import { indexNames } from '../../domain/indices/index-name.ts';
import { adjustmentNames, indexTitle, intervalNames } from './choice-names.ts';
import { charted, dateCells, numberCells, textCells } from './widget-columns.ts';
import { choiceParam, dateParam, fixedParam, optionsOf, tickerParamOf } from './widget-params.ts';
import { chartWidget, tableWidget, type Widget } from './widget.ts';

/** The widgets of one instrument. */
export function instrumentWidgets(ticker: string): Readonly<Record<string, Widget>> {
  return {
    pizarra_historico: tableWidget({
      name: 'Cierres',
      description: 'Cierres diarios de una especie, como gráfico o como tabla',
      endpoint: 'historicos',
      params: [
        tickerParamOf(ticker),
        dateParam('desde', '$currentDate-1y'),
        dateParam('hasta', '$currentDate'),
        choiceParam('ajuste', {
          value: 'splits',
          label: 'Ajuste',
          description: 'Ajuste de los precios anteriores a splits y dividendos',
          options: optionsOf(adjustmentNames),
        }),
        fixedParam('campos', 'apertura,maximo,minimo', 'Campos'),
      ],
      columns: [
        charted(dateCells('fecha', 'Fecha'), 'time'),
        charted(numberCells('ultimo', 'Cierre'), 'series'),
        charted(numberCells('apertura', 'Apertura'), 'excluded'),
        charted(numberCells('maximo', 'Máximo'), 'excluded'),
        charted(numberCells('minimo', 'Mínimo'), 'excluded'),
        charted(numberCells('volumen', 'Volumen'), 'excluded'),
      ],
      hasChart: true,
    }),
    pizarra_intradia: tableWidget({
      name: 'Barras del día',
      description: 'Barras de minutos de la última rueda de una especie',
      endpoint: 'intradiarios',
      params: [
        tickerParamOf(ticker),
        choiceParam('intervalo', {
          value: '5m',
          label: 'Intervalo',
          description: 'Duración de una barra',
          options: optionsOf(intervalNames),
        }),
      ],
      columns: [
        dateCells('fecha', 'Fecha'),
        textCells('hora', 'Hora'),
        numberCells('apertura', 'Apertura'),
        numberCells('maximo', 'Máximo'),
        numberCells('minimo', 'Mínimo'),
        numberCells('ultimo', 'Último'),
        numberCells('volumen', 'Volumen'),
      ],
      isLive: true,
    }),
    pizarra_eventos: tableWidget({
      name: 'Eventos corporativos',
      description: 'Splits, dividendos, cambios de ratio y de ticker de una especie',
      endpoint: 'eventos',
      params: [
        tickerParamOf(ticker),
        dateParam('desde', '$currentDate-5y'),
        // Announced actions have a date to come.
        dateParam('hasta', '$currentDate+1y'),
      ],
      columns: [
        dateCells('fecha', 'Fecha'),
        textCells('tipo', 'Tipo'),
        numberCells('factor', 'Factor'),
        numberCells('importe', 'Importe'),
        textCells('moneda', 'Moneda'),
        textCells('detalle', 'Detalle'),
      ],
    }),
    pizarra_grafico: chartWidget({
      name: 'Gráfico',
      description: 'Gráfico de TradingView de cualquier especie, de minutos a meses',
      symbol: ticker,
    }),
  };
}

/** The values of an index to which bonds refer. Those of days to come are included. */
export const indexWidgets: Readonly<Record<string, Widget>> = {
  pizarra_indices: tableWidget({
    name: 'CER, UVA y tasas de referencia',
    description: 'Valores de un índice o una tasa que usan los bonos, como gráfico o como tabla',
    endpoint: 'indices',
    params: [
      choiceParam('indice', {
        value: 'CER',
        label: 'Índice',
        description: 'Índice o tasa de referencia',
        options: indexNames.map((index) => ({ label: indexTitle(index), value: index })),
      }),
      dateParam('desde', '$currentDate-1y'),
    ],
    columns: [
      charted(dateCells('fecha', 'Fecha'), 'time'),
      charted(numberCells('valor', 'Valor'), 'series'),
    ],
    hasChart: true,
  }),
};
