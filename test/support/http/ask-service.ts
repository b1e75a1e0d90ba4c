import assert from 'node:assert/strict';

/** The status of a response with a key. */
export async function statusWith(url: string, key: string): Promise<number> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  await response.body?.cancel();
  return response.status;
}

/** Pushes a price of BTC, whose market is open at any time a test runs. */
export function pushPrice(
  { privateUrl }: { readonly privateUrl: string | undefined },
  key: string,
  last: number,
): Promise<Response> {
  return fetch(`${privateUrl}/updates`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ ticker: 'BTC', at: new Date().toISOString(), last }),
  });
}

/** The last price of BTC that a service shows. The status must be 200. */
export async function priceAt({ url }: { readonly url: string }, key: string): Promise<unknown> {
  const response = await fetch(`${url}/cotizaciones?especie=BTC`, {
    headers: { authorization: `Bearer ${key}` },
  });
  assert.equal(response.status, 200);
  const rows = (await response.json()) as readonly { readonly ultimo: number }[];
  return rows[0]?.ultimo;
}
