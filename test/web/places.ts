/** Every page of the playground, with a selector that matches once it is rendered. */
export const places = [
  { name: 'pizarra', address: '#/panel/LID', ready: 'table.board tbody tr' },
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
