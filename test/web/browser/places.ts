import type { Route } from '../../../web/src/places/route.ts';

/** A list for the places that show one. */
export const storedLists = [
  { name: 'Mesa', tickers: ['GGAL', 'YPFD', 'AL30', 'DOLAR MEP', 'BTC'] },
  { name: 'Energía', tickers: ['PAMP', 'CEPU'] },
];

/** An address, with a selector that matches once it is rendered. */
interface Place {
  readonly name: string;
  readonly address: string;
  readonly ready: string;
}

/** What is shown of every page of the playground. A page without an address does not compile. */
const byPage: Readonly<Record<Route['page'], readonly Place[]>> = {
  board: [
    { name: 'pizarra', address: '#/panel/LID', ready: 'table.board tbody tr' },
    { name: 'ficha', address: '#/panel/LID?ficha=GGAL', ready: 'table.board tbody tr' },
    { name: 'graficos', address: '#/panel/LID?vista=graficos', ready: '.card-chart' },
    { name: 'mapa', address: '#/panel/LID?vista=mapa', ready: '.tile' },
    { name: 'ranking', address: '#/panel/LID?vista=ranking', ready: '.rankings tbody tr' },
    { name: 'curva', address: '#/panel/BONOS?vista=curva', ready: '.curve-point' },
    { name: 'mural', address: '#/panel/LID?vista=mural', ready: '.wall-rows li' },
  ],
  list: [
    { name: 'lista', address: '#/lista/Mesa', ready: 'table.board tbody tr' },
    {
      name: 'calendario',
      address: '#/lista/Renta?especies=AL30,AL30D,TX28,GGAL&vista=calendario',
      ready: '.calendar-frame tbody td',
    },
  ],
  alerts: [{ name: 'alertas', address: '#/alertas?especie=GGAL', ready: '.alert-form' }],
  dollars: [{ name: 'dolares', address: '#/dolares', ready: '.dollar-card .spark' }],
  instrument: [
    { name: 'especie', address: '#/especie/GGAL', ready: '.chart canvas' },
    { name: 'bono', address: '#/especie/AL30D', ready: '.bond-frame tbody tr' },
    { name: 'intradiario', address: '#/especie/BTC?rango=1d', ready: '.chart canvas' },
    {
      name: 'comparar',
      address: '#/especie/GGAL?rango=6m&comparar=YPFD,PAMP',
      ready: '.chart-value-3 strong',
    },
  ],
  api: [
    { name: 'api', address: '#/api', ready: '.ref-entry' },
    {
      name: 'probar',
      address: '#/api/getCotizaciones?especie=GGAL%2CDOLAR+MEP',
      ready: '.trial',
    },
  ],
  unknown: [{ name: 'desconocida', address: '#/no-existe', ready: 'h1' }],
};

/** Every page of the playground. */
export const places: readonly Place[] = Object.values(byPage).flat();
