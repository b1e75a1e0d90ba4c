/** The state of one market's session (`Mercado` in openapi.json). */
export interface MarketState {
  readonly codigo: string;
  readonly nombre: string;
  readonly estado: 'abierto' | 'cerrado';
  /** The session under way or, while the market is closed, the last. */
  readonly rueda: string;
  /** When it closes or opens, as an RFC 3339 instant. */
  readonly cambia: string;
}

/** What `/healthz` tells (`Estado` in openapi.json). */
export interface Health {
  readonly datos: 'reales' | 'simulados';
  readonly ahora: string;
  readonly mercados: readonly MarketState[];
}
