/** One check of `/readyz`. */
export interface ReadinessCheck {
  readonly ok: boolean;
  readonly reason: string;
}

/** A check of `/readyz` of a node, by its name. */
export async function readinessCheck(
  { privateUrl }: { readonly privateUrl: string | undefined },
  name: string,
): Promise<ReadinessCheck | undefined> {
  const response = await fetch(`${privateUrl}/readyz`);
  const { checks } = (await response.json()) as { readonly checks: Record<string, ReadinessCheck> };
  return checks[name];
}
