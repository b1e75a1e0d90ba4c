/** A term of the market or a unit. The names of paths and fields are explained by the contract alone. */
interface Term {
  readonly anchor: string;
  readonly name: string;
  readonly meaning: string;
}

/** The glossary of the reference, in alphabetical order. */
export const terms: readonly Term[] = [
  [
    'ADR',
    'Certificado que cotiza en Estados Unidos y representa acciones de una empresa de otro país.',
  ],
  ['Blue', 'El dólar en el mercado informal de Buenos Aires.'],
  ['Brecha', 'La diferencia entre un tipo de cambio y el oficial, en porcentaje del oficial.'],
  [
    'CCL',
    'Contado con liquidación: el dólar que resulta de comprar un título en pesos y venderlo en dólares en el exterior.',
  ],
  [
    'CEDEAR',
    'Certificado que cotiza en Buenos Aires y representa acciones o fondos del exterior. Su ratio es la cantidad de certificados por cada acción.',
  ],
  ['Cierre', 'El último precio de una rueda.'],
  ['Especie', 'El código con el que se negocia un instrumento.'],
  ['Fecha ex', 'La primera rueda con los precios posteriores a un dividendo o a una división.'],
  [
    'MEP',
    'El dólar que resulta de comprar un título en pesos y venderlo en dólares en la bolsa local.',
  ],
  ['MTD, YTD', 'Lo acumulado en el mes y en el año en curso.'],
  ['Panel', 'Un grupo de instrumentos que se muestran juntos.'],
  ['Por ciento', 'Las variaciones en porcentaje no se dividen por cien: 12 es 12 %.'],
  ['Puntas', 'El mejor precio de compra y el mejor de venta que esperan una contraparte.'],
  [
    'Punto básico',
    'La centésima parte de un punto porcentual: 100 puntos básicos son 1 %. El riesgo país se mide en puntos básicos.',
  ],
  ['Rueda', 'La sesión de un mercado en un día.'],
  ['Split', 'División de una acción en varias, o agrupación de varias en una.'],
  ['Subyacente', 'El instrumento que un certificado representa.'],
  ['Valor nominal', 'La cantidad de un bono. Los bonos se cotizan por cada 100 de valor nominal.'],
].map(([name = '', meaning = '']) => ({
  anchor: `glosario.${name.toLowerCase().replaceAll(/[^a-záéíóúñ]+/g, '-')}`,
  name,
  meaning,
}));
