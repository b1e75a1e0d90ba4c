import { computed, effect, signal } from '@preact/signals';

import type { Health, MarketState } from './api/quote.ts';
import { attempts, fetchJson } from './api/service.ts';
import { silentSince } from './connection.ts';
import { buenosAiresDay, formatMoment } from './format/buenos-aires.ts';

/** A source that stopped is shown within ten seconds. */
const pauseMs = 8_000;
/** Time for a response, in milliseconds. Without it, a request over a dead connection would end the watch. */
const responseMsMax = 5_000;

/** The latest response of the health check. Undefined before the first. */
const health = signal<Health | undefined>(undefined);

/** The clock of the service minus the clock of this machine, in milliseconds. */
let aheadMs = 0;

/** The time of the service at the latest look, for what changes with time alone. */
export const lookedAt = signal(Date.now());

/** The day in Buenos Aires at the latest look. */
export const today = computed(() => buenosAiresDay(lookedAt.value));

/** Whether the prices are made up. */
export const isSimulated = computed(() => health.value?.datos === 'simulados');

/** Why no source of prices responds. Undefined while one does. */
export const outage = computed(() => health.value?.sinFuentes);

/** A list of the health check. It is compared as text, so that an equal one is no change. */
function listIn<Row>(read: (latest: Health) => readonly Row[] | undefined) {
  const text = computed(() => JSON.stringify((health.value && read(health.value)) ?? []));
  return computed(() => JSON.parse(text.value) as readonly Row[]);
}

/** The sources that send nothing while a market of theirs is open. */
export const staleSources = listIn((latest) => latest.fuentesAtrasadas);

const marketStates = listIn((latest) => latest.mercados);

/** The states of the markets, by code. */
export const markets = computed<ReadonlyMap<string, MarketState>>(
  () => new Map(marketStates.value.map((market) => [market.codigo, market])),
);

/** The time of the service. During a replay it is the time of the recording. */
export function serviceNow(): number {
  return Date.now() + aheadMs;
}

/** Time that the page waits for the first response before it is shown, in milliseconds. */
const firstMsMax = 3_000;

/**
 * Whether the first look is over, or takes long. Before it, the page does not know whether a banner is above
 * it, which would move all of it.
 */
export const isFirstLookOver = signal(false);

/** Requests the health check periodically while the page is open, and when the service is heard again. */
export function watchHealth(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  setTimeout(() => {
    isFirstLookOver.value = true;
  }, firstMsMax);
  const look = async () => {
    clearTimeout(timer);
    const asked = Date.now();
    const outcome = await fetchJson<Health>('/healthz', {
      isPublic: true,
      isOnce: true,
      timeoutMs: responseMsMax,
    });
    if (outcome.ok) {
      aheadMs = Date.parse(outcome.value.ahora) - (asked + Date.now()) / 2;
      health.value = outcome.value;
    }
    isFirstLookOver.value = true;
    lookedAt.value = serviceNow();
    clearTimeout(timer);
    timer = setTimeout(() => void look(), pauseMs);
  };
  effect(() => {
    if (silentSince.value === undefined) void look();
  });
  // A page without a stream has nothing else that notices the network.
  attempts.addEventListener('wake', () => void look());
}

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
