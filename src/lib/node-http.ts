/**
 * Node's HTTP modules, loaded as CommonJS. An `import` of `node:http` reads each of its exports, and some
 * of them load all of `fetch` and WebSocket: 50 ms of processor time and 16 MiB at every start.
 */
export const { ServerResponse, STATUS_CODES, createServer } = process.getBuiltinModule('node:http');

/** Loads `node:https`, which only TLS needs. */
export function nodeHttps(): typeof import('node:https') {
  return process.getBuiltinModule('node:https');
}

/** Loads `node:http2`, which only TLS needs. */
export function nodeHttp2(): typeof import('node:http2') {
  return process.getBuiltinModule('node:http2');
}
