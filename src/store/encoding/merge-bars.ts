import type { Bar } from '../../domain/quotes/minute-bar.ts';

/** The bars of one instrument from both places. Of two bars of one minute, the one that is not packed applies. */
export function mergeBars(packed: readonly Bar[], logged: readonly Bar[]): readonly Bar[] {
  if (packed.length === 0) return logged;
  if (logged.length === 0) return packed;
  const byMinute = new Map([...packed, ...logged].map((bar) => [bar.minute, bar]));
  return [...byMinute.values()].sort((a, b) => a.minute - b.minute);
}
