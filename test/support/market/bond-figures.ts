import type { CifrasDeBono } from '../../../clients/typescript/src/contract.ts';

/** The figures of AL30 as `/bonos` sends them, with changes. */
export function bondFigures(changes: Partial<CifrasDeBono>): CifrasDeBono {
  return {
    especie: 'AL30',
    fecha: '2026-11-26',
    hora: '14:20:14',
    liquidacion: '2026-11-27',
    precio: 93_774,
    moneda: 'ARS',
    tipoCambio: 1436.643022,
    tir: 0.533,
    tna: 0.5323,
    tem: 0.0437,
    duration: 1.852,
    durationModificada: 1.8422,
    convexidad: 6.5167,
    valorTecnico: 64.184,
    interesesCorridos: 0.184,
    residual: 64,
    paridad: 101.6967,
    vencimiento: '2030-07-09',
    indice: null,
    fechaIndice: null,
    valorIndice: null,
    supuesto: null,
    estado: 'ok',
    ...changes,
  };
}
