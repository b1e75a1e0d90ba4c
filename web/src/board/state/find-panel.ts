import type { Outcome } from '../../market/api/service.ts';

/**
 * The first of some panels that has quotes. Undefined if none has, or if the service does not respond.
 *
 * @param read requests the quotes of a panel.
 */
export async function findPanel(
  panels: readonly string[],
  read: (panel: string) => Promise<Outcome<readonly unknown[]>>,
): Promise<string | undefined> {
  for (const panel of panels) {
    const outcome = await read(panel);
    if (!outcome.ok) return undefined;
    if (outcome.value.length > 0) return panel;
  }
  return undefined;
}
