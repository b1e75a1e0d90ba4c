import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import { buffer } from 'node:stream/consumers';

/** A response as it was sent. `fetch` would decompress it. */
interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends one GET. It accepts any certificate, because those of the sides are self-signed. */
export async function ask(url: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const options = { headers, agent: false };
  const sent = url.startsWith('https:')
    ? requestTls(url, { ...options, rejectUnauthorized: false })
    : request(url, options);
  const asked = sent.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const body = await buffer(response);
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}
