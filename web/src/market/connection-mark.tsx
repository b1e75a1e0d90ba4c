import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { StreamState } from './api/quote-stream.ts';
import { outage } from './health-watch.ts';
import { connection, silentSince } from './connection.ts';
import { formatClock } from './format/buenos-aires.ts';

const texts: Readonly<Record<StreamState['kind'], string>> = {
  connecting: 'Conectando…',
  live: 'Conectado',
  waiting: 'Sin conexión',
  refused: 'Rechazada',
};

/**
 * The state of the connection to the service, and whether the service itself is without prices. It does not
 * show how current the quotes are.
 */
export function ConnectionMark() {
  const state = connection.value;
  if (state === undefined) return null;
  const isOut = state.kind === 'live' && outage.value !== undefined;
  return (
    <span
      class={`connection row gap-3 whole small muted connection-${isOut ? 'waiting' : state.kind}`}
    >
      <span class="dot" />
      <span class="roomy-only" role="status">
        {isOut ? 'Sin fuentes' : textOf(state)}
      </span>
      {state.kind === 'waiting' && <Countdown until={state.retryAt} />}
    </span>
  );
}

/** While the service is silent, since when: an attempt to connect changes nothing of that. */
function textOf({ kind }: StreamState): string {
  const since = silentSince.value;
  if (since === undefined || kind === 'refused') return texts[kind];
  return `Sin datos desde las ${formatClock(since)}`;
}

/** Seconds until the next attempt. Hidden from screen readers, which would read every change. */
function Countdown({ until }: { readonly until: number }) {
  const seconds = useSignal(secondsTo(until));
  useEffect(() => {
    const timer = setInterval(() => {
      seconds.value = secondsTo(until);
    }, 250);
    return () => clearInterval(timer);
  }, [until, seconds]);
  return (
    <span class="roomy-only" aria-hidden="true">
      · {seconds.value} s
    </span>
  );
}

function secondsTo(instant: number): number {
  return Math.max(0, Math.ceil((instant - performance.now()) / 1000));
}
