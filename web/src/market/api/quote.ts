/** The rows of the contract that the pages show: of `/cotizaciones`, `/historicos` and `/especies.json`. */
export type {
  Cotizacion as Quote,
  CampoDeCotizacion as RequestedField,
  Instrumento as InstrumentInfo,
  PrecioHistorico as HistoryRow,
} from '../../../../clients/typescript/src/contract.ts';
