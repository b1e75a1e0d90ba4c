import type { AnyOperation } from '../operation.ts';
import { bonosFlujos } from './bonos-flujos.ts';
import { bonos } from './bonos.ts';
import { cambios } from './cambios.ts';
import { cotizaciones } from './cotizaciones.ts';
import { dolares } from './dolares.ts';
import { especiesJson } from './especies-json.ts';
import { eventos } from './eventos.ts';
import { historicos } from './historicos.ts';
import { indices } from './indices.ts';
import { mercados } from './mercados.ts';
import { ranking } from './ranking.ts';

/** The declared paths, from which the documents take parameters and fields. */
export const operations: readonly AnyOperation[] = [
  cotizaciones,
  historicos,
  ranking,
  indices,
  eventos,
  cambios,
  especiesJson,
  mercados,
  bonos,
  bonosFlujos,
  dolares,
];
