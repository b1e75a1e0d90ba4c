import type * as http2 from 'node:http2';
import type * as https from 'node:https';

/**
 * Node's HTTP modules, loaded as CommonJS. An `import` of `node:http` reads each of its exports, and some
 * of them load all of `fetch` and WebSocket: 50 ms of processor time and 16 MiB at every start.
 */
export const { ServerResponse, createServer, get: getHttp } = process.getBuiltinModule('node:http');

/** Loads `node:https`, which only TLS needs. */
export function nodeHttps(): typeof https {
  return process.getBuiltinModule('node:https');
}

/** Loads `node:http2`, which only TLS needs. */
export function nodeHttp2(): typeof http2 {
  return process.getBuiltinModule('node:http2');
}
