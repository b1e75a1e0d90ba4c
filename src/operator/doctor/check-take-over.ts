import { warning, type Finding } from '../../lib/reports/finding.ts';
import { fieldOf } from '../../lib/network/ask.ts';

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
