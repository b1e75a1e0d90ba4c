import type { Operation } from '../api/openapi.ts';
import { authorization, serviceUrl } from '../api/service.ts';

/** A response, with everything that the page shows of it. */
export type Answer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly statusText: string;
      readonly headers: readonly (readonly [string, string])[];
      readonly body: string;
      readonly bytes: number;
      readonly ms: number;
    }
  | { readonly kind: 'unreachable' };

/** The exact URL of a request: the non-empty values, in the order of the contract. */
export function requestUrl(
  { path, parameters }: Operation,
  values: Readonly<Record<string, string>>,
): string {
  const pairs = parameters.flatMap(({ name }) => {
    const value = values[name] ?? '';
    return value === '' ? [] : [`${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`];
  });
  return serviceUrl(path) + (pairs.length === 0 ? '' : `?${pairs.join('&')}`);
}

/** Sends a request without checking it, and returns the response. */
export async function send(url: string, key: string | undefined): Promise<Answer> {
  const started = performance.now();
  try {
    const response = await fetch(url, { headers: authorization(key), cache: 'no-store' });
    const body = await response.text();
    return {
      kind: 'answered',
      status: response.status,
      statusText: response.statusText,
      headers: [...response.headers],
      body,
      bytes: new TextEncoder().encode(body).length,
      ms: performance.now() - started,
    };
  } catch {
    return { kind: 'unreachable' };
  }
}
