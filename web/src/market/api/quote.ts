/** The types of the contract that the pages use. */
export type {
  Ajuste as Adjustment,
  Barra as IntradayRow,
  CifrasDeBono as BondFigures,
  CifrasDeCierre as BondClose,
  Convencion as ConventionName,
  Cotizacion as Quote,
  CampoDeCotizacion as RequestedField,
  Estado as Health,
  FlujoDeBono as BondFlow,
  Instrumento as InstrumentInfo,
  Mercado as MarketState,
  PrecioDelDolar as DollarRow,
  PrecioHistorico as HistoryRow,
  Recorrido as PathRow,
} from '../../../../clients/typescript/src/contract.ts';
