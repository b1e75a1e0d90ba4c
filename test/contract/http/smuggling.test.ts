import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { sendRaw } from '../../support/http/raw-http.ts';
import { startTestServer } from '../../support/http/start-test-server.ts';

const server = await startTestServer({ limits: { headersTimeoutMs: 300, timeoutCheckMs: 20 } });
after(() => server[Symbol.asyncDispose]());

const target = '/cotizaciones?especie=GGAL';
const hidden = 'GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n';
const chunked = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;

/**
 * Requests that servers in a chain are known to interpret differently: the front server sees one request,
 * and the one behind it sees two. Each text follows a request line, `Host` and the key. The server must
 * refuse it, and must not read the bytes after it as a request.
 *
 * Sources: RFC 9112 3.2, 5.1, 5.2, 6.1, 6.3, 7.1, 11.2; the request-smuggling literature since 2005.
 */
const messages: Readonly<Record<string, string>> = {
  'CL and TE': `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`,
  'TE and CL': `Transfer-Encoding: chunked\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
  'CL.0: a body on GET': `Content-Length: ${hidden.length}\r\n\r\n${hidden}`,
  'TE.0: chunks on GET': `Transfer-Encoding: chunked\r\n\r\n${chunked}`,
  'two lengths that differ': `Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
  'two lengths in one': `Content-Length: 0, ${hidden.length}\r\n\r\n${hidden}`,
  'a length twice': `Content-Length: ${hidden.length}\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
  'a signed length': `Content-Length: +${hidden.length}\r\n\r\n${hidden}`,
  'a negative length': `Content-Length: -1\r\n\r\n${hidden}`,
  'a hexadecimal length': `Content-Length: 0x10\r\n\r\n${hidden}`,
  'a length with a fraction': `Content-Length: 1.0\r\n\r\n${hidden}`,
  'a length with an exponent': `Content-Length: 1e1\r\n\r\n${hidden}`,
  'a length with a blank inside': `Content-Length: 1 0\r\n\r\n${hidden}`,
  'a length beyond 64 bits': `Content-Length: 18446744073709551616\r\n\r\n${hidden}`,
  'an empty length': `Content-Length:\r\n\r\n${hidden}`,
  'a blank before the colon of CL': `Content-Length : ${hidden.length}\r\n\r\n${hidden}`,
  'a tab before the colon of CL': `Content-Length\t: ${hidden.length}\r\n\r\n${hidden}`,
  'a blank before the name of CL': `X: y\r\n Content-Length: ${hidden.length}\r\n\r\n${hidden}`,
  'a blank before the colon of TE': `Transfer-Encoding : chunked\r\n\r\n${chunked}`,
  'a tab before the colon of TE': `Transfer-Encoding\t: chunked\r\n\r\n${chunked}`,
  'a vertical tab before the value of TE': `Transfer-Encoding:\vchunked\r\n\r\n${chunked}`,
  'a name before TE that is cut by CR': `X: y\rTransfer-Encoding: chunked\r\n\r\n${chunked}`,
  'a name before TE that is cut by LF': `X: y\nTransfer-Encoding: chunked\r\n\r\n${chunked}`,
  'a folded TE': `Transfer-Encoding:\r\n chunked\r\n\r\n${chunked}`,
  'a TE of another name': `Transfer-Encoding: xchunked\r\n\r\n${chunked}`,
  'a TE that is quoted': `Transfer-Encoding: "chunked"\r\n\r\n${chunked}`,
  'a TE with chunked not last': `Transfer-Encoding: chunked, identity\r\n\r\n${chunked}`,
  'chunked twice': `Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`,
  'chunked and a second TE': `Transfer-Encoding: chunked\r\nTransfer-Encoding: cow\r\n\r\n${chunked}`,
  'TE: identity with a length': `Transfer-Encoding: identity\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
  'TE in capitals': `TRANSFER-ENCODING: CHUNKED\r\n\r\n${chunked}`,
  'TE with NUL': `Transfer-Encoding: chunked\0\r\n\r\n${chunked}`,
  'NUL in a name': `X\0Y: z\r\n\r\n${hidden}`,
  'NUL in a value': `X: y\0z\r\n\r\n${hidden}`,
  'CR in a value': `X: y\rz\r\n\r\n${hidden}`,
  'no name': `: y\r\n\r\n${hidden}`,
  'no colon': `Xy\r\n\r\n${hidden}`,
  'a name with a blank': `X Y: z\r\n\r\n${hidden}`,
  'a name with a bracket': `X[Y]: z\r\n\r\n${hidden}`,
  'a name with a byte beyond ASCII': `X\u00e9: z\r\n\r\n${hidden}`,
  'lines that end with LF alone': `X: y\nY: z\n\n${hidden}`,
  'obsolete folding': `X: y\r\n z\r\n\r\n${hidden}`,
  'two Hosts': `Host: y\r\n\r\n${hidden}`,
  'two Hosts, one folded': `X: y\r\n Host: z\r\n\r\n${hidden}`,
  'a chunk size with a sign': `Transfer-Encoding: chunked\r\n\r\n+5\r\nhello\r\n0\r\n\r\n${hidden}`,
  'a chunk size with 0x': `Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n${hidden}`,
  'a chunk size beyond 64 bits': `Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\nhello\r\n0\r\n\r\n${hidden}`,
  'a chunk extension with LF': `Transfer-Encoding: chunked\r\n\r\n5;a\nhello\r\n0\r\n\r\n${hidden}`,
  'a chunk longer than it says': `Transfer-Encoding: chunked\r\n\r\n1\r\nhello\r\n0\r\n\r\n${hidden}`,
  'a trailer with a length': `Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 9\r\n\r\n${hidden}`,
};

/** Request lines that servers in a chain interpret differently. */
const requestLines: Readonly<Record<string, string>> = {
  'a version that there is not': `GET ${target} HTTP/1.9`,
  'a version of one digit': `GET ${target} HTTP/1`,
  'no version': `GET ${target}`,
  'two targets': `GET ${target} ${target} HTTP/1.1`,
  'a tab for a blank': `GET\t${target}\tHTTP/1.1`,
  'a version in small letters': `GET ${target} http/1.1`,
  'a method in small letters': `get ${target} HTTP/1.1`,
  'a method with a blank before it': ` GET ${target} HTTP/1.1`,
  'a method that there is not': `GETT ${target} HTTP/1.1`,
  'NUL in the target': `GET ${target}\0 HTTP/1.1`,
  'CR in the target': `GET ${target}\rX HTTP/1.1`,
  'HTTP/2 in the clear': 'PRI * HTTP/2.0',
};

/** The status of each response until the server closes the connection. */
async function statuses(bytes: string): Promise<readonly string[]> {
  const text = await sendRaw(server.port, Buffer.from(bytes, 'latin1'));
  assert.doesNotMatch(text, /\/hidden/);
  return text.match(/HTTP\/1\.1 \d{3}/g) ?? [];
}

for (const [name, message] of Object.entries(messages)) {
  test(`contract 4.5.2: smuggling, ${name}: one refusal, and the connection is closed`, async () => {
    const head = `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\n`;
    assert.deepEqual(await statuses(`${head}${message}`), ['HTTP/1.1 400']);
  });
}

for (const [name, line] of Object.entries(requestLines)) {
  test(`contract 4.5.2: request line, ${name}: one refusal, and the connection is closed`, async () => {
    const head = `Host: x\r\nAuthorization: Bearer ${server.key}\r\n`;
    assert.deepEqual(await statuses(`${line}\r\n${head}\r\n${hidden}`), ['HTTP/1.1 400']);
  });
}
