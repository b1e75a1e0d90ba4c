import { keyStateAt, type ApiKeyRecord } from '../../domain/access/api-key.ts';
import { fine, warning, type Finding } from '../../lib/reports/finding.ts';

const msPerDay = 86_400_000;

/** Remaining validity below which a key gets a warning, in days. */
const expiresSoonDays = 14;

/**
 * Checks that a key for reading exists, that the service accepts keys for URLs if there are some, and that no
 * key expires soon without a replacement.
 */
export function checkKeys(
  keys: readonly ApiKeyRecord[],
  now: number,
  /** Whether the running service, or one with these settings, accepts keys for URLs. */
  acceptsUrlKeys: boolean,
): Finding {
  const active = keys.filter((key) => keyStateAt(key, now) === 'active');
  const readers = active.filter(({ scope }) => scope === 'read');
  if (readers.length === 0) {
    return warning('keys', 'No active key can read the public API.', {
      todo: 'Create a key: pizarra keys create --name NAME',
    });
  }
  const refused = acceptsUrlKeys ? [] : active.filter(({ scope }) => scope === 'url');
  if (refused.length > 0) {
    return warning('keys', `${refused.length} keys for URLs are refused: urlKeys is off.`, {
      todo: 'Set "urlKeys: on" in the configuration, or revoke the keys (pizarra keys revoke ID).',
      cases: refused.map(({ id, name }) => `${id} (${name})`),
    });
  }
  // The user of a rotated key already has another one.
  const replaced = new Set(active.map(({ replaces }) => replaces));
  const ending = active.filter(
    ({ id, expiresAt = Infinity }) =>
      expiresAt <= now + expiresSoonDays * msPerDay && !replaced.has(id),
  );
  if (ending.length > 0) {
    return warning('keys', `${ending.length} keys expire within ${expiresSoonDays} days.`, {
      todo: 'Rotate each key (pizarra keys rotate ID), and give the new key to its user.',
      cases: ending.map(
        ({ id, name, expiresAt = 0 }) => `${id} (${name}): ${new Date(expiresAt).toISOString()}`,
      ),
    });
  }
  return fine('keys', `${active.length} keys are active, ${readers.length} of them for reading.`);
}
