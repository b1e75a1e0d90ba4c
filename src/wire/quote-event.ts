import type { Quote } from '../domain/quote.ts';
import { quoteJson } from './quote-body.ts';

/** As {@link quoteJson}: rendered once, however many streams carry it. */
const rendered = new WeakMap<Quote, string>();

/** Why the service ends a stream. */
export type StreamEnding =
  /** Its key was revoked or has expired. */
  | 'key-ended'
  /** The client left what it was sent unread for too long. */
  | 'too-slow'
  /** The instruments of the selection, or how they are rendered, were changed by the operator. */
  | 'selection-changed'
  /** The service is stopping. */
  | 'draining';

const endings: Readonly<Record<StreamEnding, string>> = {
  'key-ended': '{"motivo":"clave","detalle":"La clave de acceso dejó de ser válida."}',
  'too-slow':
    '{"motivo":"lentitud","detalle":"El cliente no leyó la transmisión durante demasiado tiempo."}',
  'selection-changed':
    '{"motivo":"seleccion","detalle":"Cambiaron las especies de la selección o su presentación."}',
  draining: '{"motivo":"detencion","detalle":"El servicio se está deteniendo."}',
};

/**
 * A quote as a server-sent event: `cotizacion`, with its version as the id and the Quote object of
 * the contract as its data.
 *
 * Sources: decisions row 28; HTML, 9.2 Server-sent events.
 */
export function quoteEvent(quote: Quote): string {
  const known = rendered.get(quote);
  if (known !== undefined) return known;
  const text = `event: cotizacion\nid: ${quote.version}\ndata: ${quoteJson(quote)}\n\n`;
  rendered.set(quote, text);
  return text;
}

/** Tells a client how long to wait, in milliseconds, before it connects again. */
export function retryField(retryMs: number): string {
  return `retry: ${retryMs}\n\n`;
}

/**
 * The last event of a stream that the service ends: `cierre`, with its reason.
 *
 * It has no id, so a client continues where it was. After a changed selection the id is empty, which
 * resets the last event id of the client (HTML, 9.2.6): it gets all current quotes again, because one
 * that is new to the selection may have an older version than the client has seen.
 */
export function endingEvent(ending: StreamEnding, retryMs: number): string {
  const id = ending === 'selection-changed' ? 'id:\n' : '';
  return `retry: ${retryMs}\n${id}event: cierre\ndata: ${endings[ending]}\n\n`;
}

/** A comment, which clients ignore: it keeps proxies from closing a stream that is silent. */
export const heartbeatComment = ':\n\n';

/**
 * The version that a client says it has last seen (`Last-Event-ID`), or undefined when it says none
 * that can be one of ours; then it is shown everything.
 */
export function parseLastEventId(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}
