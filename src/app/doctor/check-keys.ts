import { keyStateAt } from '../../domain/api-key.ts';
import type { ApiKeyRecord } from '../../domain/api-key.ts';
import { fine, warning } from './finding.ts';
import type { Finding } from './finding.ts';

const msPerDay = 86_400_000;

/** A key that ends within so many days is worth a word to its user now. */
const expiresSoonDays = 14;

/** Checks that somebody can get in, and that nobody is about to be shut out unawares. */
export function checkKeys(keys: readonly ApiKeyRecord[], now: number): Finding {
  const active = keys.filter((key) => keyStateAt(key, now) === 'active');
  const readers = active.filter(({ scope }) => scope === 'read');
  if (readers.length === 0) {
    return warning('keys', 'No key opens the public API.', {
      todo: 'pizarra keys create --name NAME',
    });
  }
  // Whose key was rotated has another one by now.
  const replaced = new Set(active.map(({ replaces }) => replaces));
  const ending = active.filter(
    ({ id, expiresAt = Infinity }) =>
      expiresAt <= now + expiresSoonDays * msPerDay && !replaced.has(id),
  );
  if (ending.length > 0) {
    return warning('keys', `${ending.length} keys end within ${expiresSoonDays} days.`, {
      todo: 'pizarra keys rotate ID, and hand the new key to its user.',
      cases: ending.map(
        ({ id, name, expiresAt = 0 }) => `${id} (${name}): ${new Date(expiresAt).toISOString()}`,
      ),
    });
  }
  return fine('keys', `${active.length} keys are active, ${readers.length} of them for reading.`);
}
