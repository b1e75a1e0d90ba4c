/** The public names of the fields of an instrument that clients get on request (contract 4.4.4). */
export const instrumentFieldNames = {
  pricePer: 'precioPor',
  isin: 'isin',
  base: 'base',
  paid: 'clase',
  issuer: 'emisor',
  law: 'ley',
  flowCurrency: 'monedaPagos',
  option: 'opcion',
  termsState: 'terminos',
  termsReviewed: 'terminosRevisados',
  termsSources: 'terminosFuentes',
  maturity: 'vencimiento',
  issue: 'titulo',
  issued: 'emision',
  couponMonths: 'frecuencia',
  firstCoupon: 'primerCupon',
  couponDates: 'fechasCupon',
  rates: 'tasa',
  dayCount: 'conteoDias',
  amortisation: 'amortizacion',
  index: 'indice',
  indexLag: 'rezago',
  indexBase: 'baseIndice',
  margin: 'margen',
  factor: 'factor',
  monthlyRate: 'tem',
  dual: 'dual',
  paymentDay: 'ajusteFecha',
} as const;

/** Maximum length of the text of a search, in UTF-16 code units. It bounds the cost of a search. */
export const searchTextMax = 100;
