import { canMature } from '../../domain/instruments/maturity.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { conventionTitles, conversionTitles } from './choice-names.ts';
import { panelOptions, tickerOptions } from './instrument-options.ts';
import {
  dateCells,
  numberCells,
  percentCells,
  textCells,
  tickerColumn,
  tickerParam,
} from './widget-columns.ts';
import { choiceParam, optionsOf, panelParam, preferred } from './widget-params.ts';
import { tableWidget, type Widget } from './widget.ts';

/** The widgets of bonds. There are none in a universe without terms of bonds, which has no figures of them. */
export function bondWidgets(universe: Universe): Readonly<Record<string, Widget>> {
  const issues = tickerOptions(universe.bondTerms.map(({ ticker }) => universe.get(ticker)));
  const issue = preferred(issues, 'AL30');
  if (issue === undefined) return {};
  const panels = panelOptions(universe, (_, members) =>
    members.some(({ kind }) => canMature(kind)),
  );
  const panel = preferred(panels, 'BONOS');
  return {
    ...(panel === undefined
      ? {}
      : {
          pizarra_bonos: tableWidget({
            name: 'Rendimientos de bonos',
            description: 'TIR, duration, paridad y valor técnico de los bonos y las letras',
            endpoint: 'bonos',
            params: [panelParam(panels, panel), ...bondParams],
            columns: bondColumns,
            isLive: true,
          }),
        }),
    pizarra_flujos: tableWidget({
      name: 'Flujo de fondos',
      description: 'Pagos futuros de un bono o una letra, por cada 100 de valor nominal original',
      endpoint: 'bonos/flujos',
      params: [
        choiceParam(tickerParam, {
          value: issue,
          label: 'Bono',
          description: 'Bono o letra cuyas condiciones se conocen',
          options: issues,
        }),
      ],
      columns: flowColumns,
    }),
  };
}

const bondParams = [
  choiceParam('convencion', {
    value: 'pizarra',
    label: 'Convención',
    description: 'Modo de contar la TIR y las demás cifras',
    options: optionsOf(conventionTitles),
  }),
  choiceParam('dolar', {
    value: 'mep',
    label: 'Dólar',
    description: 'Dólar con el que se convierte un precio en pesos',
    options: optionsOf(conversionTitles),
  }),
];

const bondColumns = [
  tickerColumn('especie', 'Especie'),
  numberCells('precio', 'Precio'),
  textCells('moneda', 'Moneda'),
  percentCells('tir', 'TIR'),
  percentCells('tna', 'TNA'),
  percentCells('tem', 'TEM'),
  numberCells('duration', 'Duration'),
  numberCells('durationModificada', 'Duration modificada'),
  percentCells('paridad', 'Paridad'),
  numberCells('valorTecnico', 'Valor técnico'),
  numberCells('interesesCorridos', 'Intereses corridos'),
  percentCells('residual', 'Residual'),
  dateCells('vencimiento', 'Vencimiento'),
  dateCells('liquidacion', 'Liquidación'),
  dateCells('fecha', 'Fecha'),
  textCells('hora', 'Hora'),
  textCells('supuesto', 'Supuesto'),
  textCells('estado', 'Estado'),
];

const flowColumns = [
  dateCells('fecha', 'Fecha'),
  dateCells('pago', 'Pago'),
  numberCells('interes', 'Interés'),
  numberCells('amortizacion', 'Amortización'),
  numberCells('total', 'Total'),
  percentCells('residual', 'Residual'),
  numberCells('ajustado', 'Total ajustado'),
];
