import { ask } from './ask.ts';
import { cases, contractTarget, mixedRequests } from './cases.ts';
import type { Dataset } from './dataset.ts';
import type { OwnAnswer, WireQuote } from './side.ts';

/** Number of tickers per request. The limit of the service is 500. */
const tickersPerRequest = 200;

/** Requests the responses of Pizarra, which the other sides must return too. */
export async function takeAnswers(
  own: { readonly origin: string; readonly key: string },
  { universe }: Dataset,
): Promise<{
  readonly answers: ReadonlyMap<string, OwnAnswer>;
  readonly quotes: readonly WireQuote[];
}> {
  const headers = { authorization: `Bearer ${own.key}` };
  const answers = new Map<string, OwnAnswer>();
  const targets: (readonly [name: string, target: string])[] = [
    ...cases.map(({ name, question }) => [name, contractTarget(question)] as const),
    ...mixedRequests
      .filter(({ status }) => status === 200)
      .map(({ target }, index) => [`mixed-${index}`, target] as const),
  ];
  for (const [name, target] of targets) {
    const { status, body, headers: got } = await ask(`${own.origin}${target}`, headers);
    if (status !== 200 || body.length < 3) throw new Error(`${target} got ${status}`);
    answers.set(name, { target, body, contentType: got['content-type'] ?? '' });
  }
  const quotes: WireQuote[] = [];
  const tickers = universe.instruments.map(({ ticker }) => ticker);
  for (let from = 0; from < tickers.length; from += tickersPerRequest) {
    const some = tickers.slice(from, from + tickersPerRequest);
    const target = contractTarget({ kind: 'quotes', tickers: some });
    const { body } = await ask(`${own.origin}${target}`, headers);
    quotes.push(...(JSON.parse(body.toString()) as WireQuote[]));
  }
  return { answers, quotes };
}
