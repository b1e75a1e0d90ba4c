import { PizarraConnectionError, PizarraResponseError } from './errors.js';
import { temporaryFailure } from './exchange.js';
import { withRequestOptions } from './options.js';
import { queryOf } from './query.js';
import { StreamConnection } from './stream-connection.js';
import { sleep, waitBefore } from './wait.js';
/** The wait before the service has told another, in milliseconds. */
const firstRetryMs = 2_000;
/** The quotes of a selection as they change. See `PizarraClient.stream`. */
export async function* streamQuotes(given, parameters, options) {
    const { signal, onState, waitMsMax = 30_000, heartbeatMs = 15_000, timeoutMs } = options;
    const connection = withRequestOptions(given, timeoutMs === undefined ? {} : { timeoutMs });
    const silenceMsMax = 2 * heartbeatMs;
    const url = `${connection.base}/cotizaciones/stream${queryOf(parameters)}`;
    let lastId = options.lastEventId ?? '';
    let attemptsMax = options.attemptsMax ?? connection.retry.attemptsMax;
    let failures = 0;
    for (;;) {
        let ending;
        let failure;
        let source;
        const began = performance.now();
        try {
            source = await StreamConnection.open(connection, { url, lastId, signal, silenceMsMax });
            attemptsMax = options.attemptsMax ?? Number.POSITIVE_INFINITY;
            onState?.({ state: 'open', isResumed: lastId !== '', ...source.notes });
            for await (const event of source.events()) {
                failures = 0;
                // Set before the event is handed out: a caller that has it does not need it again.
                lastId = event.lastId;
                if (event.event === 'cierre')
                    ending = parse(event, url);
                const known = streamEvent(event, url);
                if (known !== undefined)
                    yield known;
            }
        }
        catch (error) {
            if (temporaryFailure(error) === false)
                throw error;
            failure = error;
        }
        finally {
            await source?.close();
        }
        // An idle connection that lasted was no failure.
        if (source !== undefined && performance.now() - began > waitMsMax)
            failures = 0;
        failures += 1;
        if (failures >= attemptsMax)
            throw failure ?? new PizarraConnectionError(`${url} ended`);
        const retryAfter = temporaryFailure(failure);
        const waitMs = waitBefore(failures, {
            retryAfter: retryAfter === false ? undefined : retryAfter,
            firstMs: source?.retryMs ?? firstRetryMs,
            waitMsMax,
        });
        onState?.({ state: 'lost', ending, error: failure, waitMs });
        await sleep(waitMs, signal);
    }
}
function streamEvent(event, url) {
    switch (event.event) {
        case 'cotizacion':
            return { type: 'cotizacion', id: event.lastId, data: parse(event, url) };
        case 'barra':
            return { type: 'barra', data: parse(event, url) };
        default:
            return undefined;
    }
}
function parse({ data }, url) {
    try {
        return JSON.parse(data);
    }
    catch (cause) {
        throw new PizarraResponseError(`${url} sent an event that is not JSON`, { cause });
    }
}
//# sourceMappingURL=stream.js.map