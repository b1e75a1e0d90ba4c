/** The tables of an installation whose rows are counted and checked. */
export const tables = [
  'instruments',
  'closes',
  'replaced_closes',
  'changes',
  'sources',
  'corporate_actions',
  'replaced_actions',
  'index_values',
  'replaced_index_values',
  'bond_terms',
  'replaced_bond_terms',
  'api_keys',
  'key_events',
  'quotes',
  'minute_bars',
  'session_bars',
] as const;
