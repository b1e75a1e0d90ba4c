import { fine, warning, type Finding } from '../../lib/reports/finding.ts';
import { fieldOf } from '../../lib/network/ask.ts';
import { noSource } from '../../node/metrics/readiness.ts';

/** What `/healthz` says about the prices: whether they are made up. */
export function checkPrices(healthz: string): Finding {
  if (fieldOf(healthz, 'datos') !== 'simulados') return fine('prices', 'The prices are real.');
  return warning('prices', 'The prices are simulated: the service shows its demonstration.', {
    todo: 'Import data, configure sources (such as "market: argentina") or create an ingest key. The demonstration then ends by itself.',
  });
}

/** What `/readyz` says about the sources, whatever its status: each one that is stale or has failed. */
export function checkSources(readyz: string): readonly Finding[] {
  const { cases = [], reason = '' } = feedsOf(readyz);
  if (cases.length === 0) return [];
  const isOne = cases.length === 1;
  const problem = isOne
    ? 'One source is stale or has failed'
    : `${cases.length} sources are stale or have failed`;
  return [
    warning('sources', reason.startsWith(noSource) ? 'No source responds.' : `${problem}.`, {
      todo: '"pizarra sources check" connects to each source and says what to do.',
      cases,
    }),
  ];
}

interface FeedsCheck {
  readonly reason?: string;
  readonly cases?: readonly string[];
}

function feedsOf(readyz: string): FeedsCheck {
  const checks = fieldOf(readyz, 'checks') as { readonly feeds?: FeedsCheck } | undefined;
  return checks?.feeds ?? {};
}

/** What `/readyz` says about a node that stands by, whatever its status: whether it could not take over. */
export function checkTakeOver(readyz: string): readonly Finding[] {
  const checks = fieldOf(readyz, 'checks') as
    | { readonly claim?: { readonly ok: boolean; readonly reason: string } }
    | undefined;
  const { ok = true, reason = '' } = checks?.claim ?? {};
  if (ok) return [];
  return [
    warning('take-over', `${reason}.`, {
      todo: 'Let the server permit more connections (docs/scaling.md, "How many nodes"). The node retries.',
    }),
  ];
}
