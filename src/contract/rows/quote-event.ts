import type { Quote } from '../../domain/quotes/quote.ts';
import { noExtras, versionFor, type QuoteExtras } from '../../domain/quotes/quote-extra.ts';
import { rememberedWith } from '../../lib/results/remembered.ts';
import type { InstantTexts } from '../../wire/texts/instant-texts.ts';
import { quoteJson } from './quote.ts';

/** The reason for which the service closes a stream. */
export type StreamEnding =
  /** The key was revoked or has expired. */
  | 'key-ended'
  /** The client did not read pending events in time. */
  | 'too-slow'
  /** The operator changed the instruments of the selection, or how they are rendered. */
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
 * A quote as a server-sent event: named `cotizacion`, with its version for the client as id and the
 * quote's JSON as data (contract 4.4.1; HTML, 9.2 Server-sent events).
 */
export function quoteEvent(
  quote: Quote,
  extras: QuoteExtras = noExtras,
  instants?: InstantTexts,
): string {
  return extras === noExtras ? plainEvent(quote) : renderEvent(quote, extras, instants);
}

/** All streams of plain quotes send the same text, so it is rendered once. */
const plainEvent = rememberedWith((quote: Quote) => renderEvent(quote, noExtras));

function renderEvent(quote: Quote, extras: QuoteExtras, instants?: InstantTexts): string {
  const id = versionFor(quote, extras);
  return `event: cotizacion\nid: ${id}\ndata: ${quoteJson(quote, extras, instants)}\n\n`;
}

/**
 * The event-stream field that sets how long a client waits before it reconnects, in milliseconds.
 */
export function retryField(retryMs: number): string {
  return `retry: ${retryMs}\n\n`;
}

/**
 * The last event of a stream that the service closes: `cierre`, with the reason.
 *
 * It has no id, so that a client resumes after the last quote. After a changed selection it has an
 * empty id, which resets the client's last event id (HTML, 9.2.6), so that the client gets all
 * current quotes again: an instrument that is new to the selection may have an older version than
 * the client has seen.
 */
export function endingEvent(ending: StreamEnding, retryMs: number): string {
  const id = ending === 'selection-changed' ? 'id:\n' : '';
  return `retry: ${retryMs}\n${id}event: cierre\ndata: ${endings[ending]}\n\n`;
}

/** A comment, which clients ignore. It keeps proxies from closing an idle stream. */
export const heartbeatComment = ':\n\n';

/**
 * The version in a client's `Last-Event-ID` header. Undefined when the header is absent or is not a
 * version; the client then gets all current quotes.
 */
export function parseLastEventId(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}
