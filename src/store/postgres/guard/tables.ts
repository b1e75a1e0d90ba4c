/** The tables of an installation whose rows are counted and checked. */
export const tables = [
  'instruments',
  'closes',
  'sources',
  'corporate_actions',
  'index_values',
  'replaced_index_values',
  'api_keys',
  'key_events',
  'quotes',
  'minute_bars',
  'session_bars',
] as const;
