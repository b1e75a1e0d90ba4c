import { LRUCache } from 'lru-cache';

import type { Peer, Request } from '../../handler/request.ts';
import { plainRequest } from './plain-request.ts';

/** Up to this length a request is remembered. */
const bytesMax = 1_024;

/** Maximum number of requests that are remembered of all proxies, with a few kilobytes for each. */
const proxiedMax = 2_048;

/**
 * What was read from requests, for when the same bytes come again: a client that polls sends them every time.
 *
 * What was read is kept from the second time on. Of a request that comes once it would only outlive
 * collections of garbage.
 */
export interface RequestMemory {
  /** The request that a text is the whole of; undefined if it is no plain one. */
  read(text: string, peer: Peer): Request | undefined;
}

/** Remembers the last request of one connection. */
export class LastRequest implements RequestMemory {
  #text = '';
  #request: Request | undefined;

  read(text: string, peer: Peer): Request | undefined {
    const isRepeated = text === this.#text;
    if (isRepeated && this.#request !== undefined) return this.#request;
    const request = plainRequest(text, peer);
    this.#text = text.length <= bytesMax ? text : '';
    this.#request = isRepeated ? request : undefined;
    return request;
  }
}

/**
 * Remembers requests of all connections of the operator's own proxies. A proxy sends what its clients poll
 * over any of its connections, so on each of them every request differs from the one before.
 */
export class ProxiedRequests implements RequestMemory {
  readonly #known = new LRUCache<string, Request | 'came once'>({ max: proxiedMax });

  read(text: string, peer: Peer): Request | undefined {
    const known = this.#known.get(text);
    // The address of the proxy is a part of what is read from a request.
    if (typeof known === 'object' && known.peer.address === peer.address) return known;
    const request = plainRequest(text, peer);
    if (request === undefined || text.length > bytesMax) return request;
    if (known === undefined) {
      this.#known.set(text, 'came once');
      return request;
    }
    // Its peer is its own: what is found out about its key stays known when other keys use the connection.
    const kept = { ...request, peer: { ...peer } };
    this.#known.set(text, kept);
    return kept;
  }
}
