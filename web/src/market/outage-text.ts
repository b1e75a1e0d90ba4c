import type { Health } from './api/quote.ts';
import { formatMoment } from './format/buenos-aires.ts';
import { lookedAt, outage, staleSources } from './health-watch.ts';

const reasons: Readonly<Record<NonNullable<Health['sinFuentes']>, string>> = {
  nombre: 'no se encuentran sus nombres en la red',
  conexion: 'no hay conexión con ellas',
  demora: 'no contestan a tiempo',
  certificado: 'no se puede verificar su certificado',
  rechazo: 'rechazan el acceso',
  limite: 'limitan los pedidos',
  pedido: 'no aceptan el pedido',
  servidor: 'tienen una falla propia',
  formato: 'envían datos en un formato desconocido',
  programa: 'el servicio tiene un defecto',
};

/** What is wrong with the sources, in a sentence. Undefined while all of them send. */
export function outageText(): string | undefined {
  const reason = outage.value;
  if (reason !== undefined) return `Ninguna fuente de precios responde: ${reasons[reason]}.`;
  const texts = staleSources.value.map(
    ({ fuente, mercados, desde }) =>
      `${mercados.join(', ')} ${
        desde === null
          ? 'desde que empezó el servicio'
          : `desde ${formatMoment(Date.parse(desde), lookedAt.peek())}`
      } (fuente ${fuente})`,
  );
  return texts.length === 0 ? undefined : `Sin datos nuevos de ${texts.join('; ')}.`;
}
