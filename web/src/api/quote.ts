/** The Quote object of the contract (`Cotizacion` in openapi.json), with its own names. */
export interface Quote {
  readonly especie: string;
  readonly fecha: string;
  readonly hora?: string;
  readonly ultimo: number;
  readonly variacion: number | null;
  readonly anterior?: number;
  readonly apertura?: number;
  readonly minimo?: number;
  readonly maximo?: number;
  readonly varMTD: number | null;
  readonly varYTD: number | null;
  readonly volumen: number | null;
  /** This and the following fields are present only if they were requested and are known. */
  readonly compra?: number;
  readonly venta?: number;
  readonly cantCompra?: number;
  readonly cantVenta?: number;
  readonly monto?: number;
  readonly operaciones?: number;
  readonly fuente?: string;
}

/** One row of `/historicos` (`PrecioHistorico` in openapi.json). */
export interface HistoryRow {
  readonly especie: string;
  readonly fecha: string;
  readonly ultimo: number;
  /** This and the two following fields are present only if they are known. */
  readonly apertura?: number;
  readonly maximo?: number;
  readonly minimo?: number;
  readonly volumen: number | null;
}

/** One row of `/especies.json` (`Instrumento` in openapi.json). */
export interface InstrumentInfo {
  readonly especie: string;
  readonly nombre: string;
  readonly tipo: string;
  readonly mercado: string;
  readonly moneda: string;
  readonly decimales: number;
  readonly unidadVariacion: 'por-ciento' | 'puntos';
}
