import { getCACertificates } from 'node:tls';

/** The authorities that Node trusts by default, and those of a PEM text. */
export function authoritiesWith(ca: string): string[] {
  return [...getCACertificates('default'), ca];
}

/** The `fetch` of Node, which also trusts the authorities of a PEM text. */
export function trustingFetch(ca: string): typeof fetch {
  const loading = Promise.withResolvers<typeof fetch>();
  let isLoading = false;
  return async (input, init) => {
    if (!isLoading) {
      isLoading = true;
      loadFetch(ca).then(loading.resolve, loading.reject);
    }
    const trusting = await loading.promise;
    return trusting(input, init);
  };
}

/** Loaded with the first request, because only a source with authorities of its own needs it. */
async function loadFetch(ca: string): Promise<typeof fetch> {
  const { Agent, fetch: fetchWith } = await import('undici');
  const dispatcher = new Agent({ connect: { ca: authoritiesWith(ca) } });
  // The types of the package are not those of Node, which come from another version of it.
  const send = fetchWith as unknown as (input: unknown, init: unknown) => Promise<Response>;
  return (input, init) => send(input, { ...init, dispatcher });
}
