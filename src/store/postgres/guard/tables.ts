/** The tables of an installation whose rows are counted and checked. */
export const tables = [
  'instruments',
  'closes',
  'sources',
  'corporate_actions',
  'api_keys',
  'key_events',
  'quotes',
  'minute_bars',
  'session_bars',
] as const;
