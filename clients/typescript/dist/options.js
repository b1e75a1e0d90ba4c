const defaultRetry = { attemptsMax: 3, waitMsMax: 30_000 };
/**
 * Completes the options of a client.
 *
 * @throws TypeError when the address is not an HTTP address.
 */
export function connectionOf(options) {
    const url = new URL(options.url);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
        throw new TypeError(`The url must begin with https:// or http://, not ${url.protocol}`);
    }
    if (url.username !== '' || url.password !== '') {
        throw new TypeError('The url must not contain credentials. Pass the key as "key".');
    }
    const { key } = options;
    return {
        base: url.origin + url.pathname.replace(/\/+$/, ''),
        key: typeof key === 'function' ? key : () => key,
        timeoutMs: options.timeoutMs ?? 30_000,
        retry: { ...defaultRetry, ...options.retry },
        // Browsers refuse to run `fetch` as a method of another object.
        fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    };
}
/** Replaces the options that a request has of its own. */
export function withRequestOptions(connection, { timeoutMs, retry }) {
    return {
        ...connection,
        timeoutMs: timeoutMs ?? connection.timeoutMs,
        retry: { ...connection.retry, ...retry },
    };
}
//# sourceMappingURL=options.js.map