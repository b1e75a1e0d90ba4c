import { dollarTitles } from './choice-names.ts';
import { dateCells, numberCells, percentCells, textCells } from './widget-columns.ts';
import { choiceParam, optionsOf } from './widget-params.ts';
import { tableWidget, type Widget } from './widget.ts';

const columns = [
  textCells('dolar', 'Dólar'),
  textCells('base', 'Base'),
  numberCells('compra', 'Compra'),
  numberCells('venta', 'Venta'),
  numberCells('ultimo', 'Último'),
  percentCells('brecha', 'Brecha'),
  dateCells('fecha', 'Fecha'),
  textCells('hora', 'Hora'),
  textCells('calculo', 'Cálculo'),
  textCells('numerador', 'Numerador'),
  textCells('denominador', 'Denominador'),
  textCells('estado', 'Estado'),
];

/** The widgets of the dollars. */
export const dollarWidgets: Readonly<Record<string, Widget>> = {
  pizarra_dolares: tableWidget({
    name: 'Dólares',
    description: 'Precios del dólar: publicados, MEP y contado con liquidación, con su brecha',
    endpoint: 'dolares',
    params: [],
    columns,
    isLive: true,
  }),
  pizarra_dolar: tableWidget({
    name: 'Un dólar por base',
    description:
      'Un dólar en cada especie que lo implica; el contado con liquidación, también en los CEDEARs',
    endpoint: 'dolares',
    params: [
      choiceParam('dolar', {
        value: 'ccl',
        label: 'Dólar',
        description: 'Dólar cuyos precios se muestran',
        options: optionsOf(dollarTitles),
      }),
    ],
    columns,
    isLive: true,
  }),
};
