/** A response that a 304 confirms. */
export interface CachedResponse {
    readonly etag: string;
    readonly data: unknown;
}
/**
 * The latest responses by address, up to a number of characters of their bodies. The least recently used
 * one is dropped.
 */
export declare class ResponseCache {
    #private;
    constructor(charactersMax: number);
    get(url: string): CachedResponse | undefined;
    put(url: string, response: CachedResponse, characters: number): void;
}
//# sourceMappingURL=response-cache.d.ts.map