import type { ServiceRequest } from './service-request.ts';

/** The service sends a comment after two seconds without data, and up to half a second later. */
const heartbeat = '2s';

/** The path of the stream of a selection. */
export function streamPath(selection: string): string {
  return `/cotizaciones/stream?${selection}&latido=${heartbeat}`;
}

/** How a stream is requested. It continues after the last event that was received, if there was one. */
export function streamRequest(key: string, lastEventId = ''): ServiceRequest {
  const since = lastEventId === '' ? {} : { 'last-event-id': lastEventId };
  return { key, headers: { accept: 'text/event-stream', ...since }, cache: 'no-store' };
}
