/** The state of one market's session (`Mercado` in openapi.json). */
export interface MarketState {
  readonly codigo: string;
  readonly nombre: string;
  readonly estado: 'abierto' | 'cerrado';
  /** The date of the current session or, while the market is closed, of the last one. */
  readonly rueda: string;
  /** The instant at which the market closes or, while it is closed, opens (RFC 3339). */
  readonly cambia: string;
}

/** Why no source of prices responds (`sinFuentes` in openapi.json). */
export type OutageReason =
  | 'nombre'
  | 'conexion'
  | 'demora'
  | 'certificado'
  | 'rechazo'
  | 'limite'
  | 'pedido'
  | 'servidor'
  | 'formato'
  | 'programa';

/** The response of `/healthz` (`Estado` in openapi.json). */
export interface Health {
  readonly datos: 'reales' | 'simulados';
  readonly ahora: string;
  /** Present if no source of prices responds. */
  readonly sinFuentes?: OutageReason;
  readonly mercados: readonly MarketState[];
}
