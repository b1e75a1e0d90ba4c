import type { AnyOperation } from './operation.ts';
import { bonosFlujos } from './paths/bonos-flujos.ts';
import { bonos } from './paths/bonos.ts';
import { cotizaciones } from './paths/cotizaciones.ts';
import { dolares } from './paths/dolares.ts';
import { especiesJson } from './paths/especies-json.ts';
import { indices } from './paths/indices.ts';
import { mercados } from './paths/mercados.ts';
import { ranking } from './paths/ranking.ts';

/** The declared paths, from which the documents take parameters and fields. */
export const operations: readonly AnyOperation[] = [
  cotizaciones,
  ranking,
  indices,
  especiesJson,
  mercados,
  bonos,
  bonosFlujos,
  dolares,
];
