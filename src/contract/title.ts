/** Names of the contract, and words of them, whose titles are not their letters. */
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
export function titleOf(name: string): string {
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  const title = titles[words] ?? words.replaceAll(/\w+/g, (word) => titles[word] ?? word);
  return title.charAt(0).toUpperCase() + title.slice(1);
}
