/** The indices and rates that terms of bonds refer to. */
export const termIndexNames = ['CER', 'UVA', 'A3500', 'TAMAR', 'BADLAR'] as const;

/** All indices and rates, in the order in which they are listed. */
export const indexNames = [...termIndexNames, 'ICL', 'IPC'] as const;

/** The public name of an index. */
export type IndexName = (typeof indexNames)[number];

/** What is known of an index apart from its values. */
export interface IndexDefinition {
  /** The name in full, for people. */
  readonly title: string;
  /** What a value is measured in, for people. */
  readonly unit: string;
  /** The number of its series in the monetary statistics of the central bank. */
  readonly bcraVariable: number;
  /** The days that have a value: every day of the calendar, the business days, or the last day of each month. */
  readonly days: 'calendar' | 'business' | 'month-end';
  /**
   * The business days before a settlement whose value the usual terms use. Terms may have another lag.
   * Only `doctor` and `indices check` use it, to say whether the next settlement is covered. They do not use that of
   * an index of months.
   */
  readonly usualLag: number;
  /**
   * The factors between which a value moves in a day. The bounds are wide: CER rose by 0.9 % a day in
   * January 2024, and A3500 by 118 % on 2023-12-13. They find a slipped decimal point, not a wrong digit.
   * Absent for an index whose values do not show whether another one is right.
   */
  readonly dailyMove?: { readonly min: number; readonly max: number };
  /** The bounds of a value, both included. Absent for an index whose values are above zero. */
  readonly values?: { readonly min: number; readonly max: number };
}

/** The definition of each index. */
export const indexDefinitions: Readonly<Record<IndexName, IndexDefinition>> = {
  CER: {
    title: 'Coeficiente de Estabilización de Referencia',
    unit: 'base 2002-02-02 = 1',
    bcraVariable: 30,
    days: 'calendar',
    usualLag: 10,
    dailyMove: { min: 0.99, max: 1.03 },
  },
  UVA: {
    title: 'Unidad de Valor Adquisitivo',
    unit: 'pesos por UVA',
    bcraVariable: 31,
    days: 'calendar',
    usualLag: 5,
    dailyMove: { min: 0.99, max: 1.03 },
  },
  A3500: {
    title: 'Tipo de cambio de referencia, Comunicación A 3500',
    unit: 'pesos por dólar',
    bcraVariable: 5,
    days: 'business',
    usualLag: 3,
    dailyMove: { min: 1 / 3, max: 3 },
  },
  TAMAR: {
    title: 'Tasa mayorista de Argentina, bancos privados',
    unit: '% nominal anual',
    bcraVariable: 44,
    days: 'business',
    usualLag: 10,
    dailyMove: { min: 1 / 5, max: 5 },
  },
  BADLAR: {
    title: 'BADLAR en pesos, bancos privados',
    unit: '% nominal anual',
    bcraVariable: 7,
    days: 'business',
    usualLag: 10,
    dailyMove: { min: 1 / 5, max: 5 },
  },
  ICL: {
    title: 'Índice para Contratos de Locación',
    unit: 'base 2020-06-30 = 1',
    bcraVariable: 40,
    days: 'calendar',
    usualLag: 5,
    dailyMove: { min: 0.99, max: 1.03 },
  },
  IPC: {
    title: 'Índice de Precios al Consumidor, variación mensual',
    unit: '% mensual',
    bcraVariable: 27,
    days: 'month-end',
    usualLag: 0,
    // Prices rose by 196.6 % in July 1989, and have fallen in some months.
    values: { min: -50, max: 300 },
  },
};

/** The index of a name. Undefined for any other text. Upper and lower case are different. */
export function findIndex(name: string): IndexName | undefined {
  return indexNames.find((one) => one === name);
}
