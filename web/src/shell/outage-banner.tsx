import type { Health } from '../market/api/quote.ts';
import { outage } from '../market/health-watch.ts';

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

/** Says on every page that no source gives prices, and why, as long as that is so. */
export function OutageBanner() {
  const reason = outage.value;
  if (reason === undefined) return null;
  return (
    <div class="outage" role="alert">
      <strong>Ninguna fuente de precios responde: {reasons[reason]}.</strong>
      <span class="wide-only">Se muestran los últimos precios conocidos, si los hay.</span>
    </div>
  );
}
