import type { FeedConfig } from '../../feeds/contract/feed-type.ts';

/** The values of the query of the addresses in a configuration. They may be keys. */
export function configuredQuery(config: FeedConfig): readonly (readonly [string, string])[] {
  const { url, historyUrl } = config as { readonly url?: unknown; readonly historyUrl?: unknown };
  return [url, historyUrl].flatMap((one) =>
    typeof one === 'string' && URL.canParse(one) ? [...new URL(one).searchParams] : [],
  );
}

/** An address without a query value of the configuration. What the source adds by itself is shown. */
export function shownUrl(url: URL, config: FeedConfig): string {
  const hidden = new Set(configuredQuery(config).map(([name]) => name));
  const query = [...url.searchParams].map(([name, value]) => {
    // Of a parameter without a value, the name may be the key.
    if (hidden.has(name)) return value === '' ? '[secret]' : `${name}=[secret]`;
    return `${name}=${value}`;
  });
  const search = query.length === 0 ? '' : `?${query.join('&')}`;
  return `${url.origin}${url.pathname}${search}`;
}
