/** A list for the places that show one. */
export const storedLists = [
  { name: 'Mesa', tickers: ['GGAL', 'YPFD', 'AL30', 'DOLAR MEP', 'BTC'] },
  { name: 'Energía', tickers: ['PAMP', 'CEPU'] },
];

/** Every page of the playground, with a selector that matches once it is rendered. */
export const places = [
  { name: 'pizarra', address: '#/panel/LID', ready: 'table.board tbody tr' },
  { name: 'lista', address: '#/lista/Mesa', ready: 'table.board tbody tr' },
  { name: 'mapa', address: '#/panel/LID?vista=mapa', ready: '.tile' },
  { name: 'mural', address: '#/panel/LID?vista=mural', ready: '.wall-rows li' },
  { name: 'alertas', address: '#/alertas?especie=GGAL', ready: '.alert-form' },
  { name: 'especie', address: '#/especie/GGAL', ready: '.chart canvas' },
  { name: 'intradiario', address: '#/especie/BTC?rango=1d', ready: '.chart canvas' },
  {
    name: 'comparar',
    address: '#/especie/GGAL?rango=6m&comparar=YPFD,PAMP',
    ready: '.chart-value-3 strong',
  },
  {
    name: 'probar',
    address: '#/probar/getCotizaciones?especie=GGAL%2CDOLAR+MEP',
    ready: '.snippet',
  },
  { name: 'referencia', address: '#/referencia', ready: '.opblock' },
] as const;
