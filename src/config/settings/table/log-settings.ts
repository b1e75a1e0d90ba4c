import { oneOf } from './kinds.ts';
import type { SettingTable } from './setting.ts';

/** What is logged, and how. */
export const logSettings = {
  logLevel: {
    group: 'Log',
    kind: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    fallback: 'info',
    description: 'Minimum severity of the messages that are logged.',
    reloadable: true,
  },
  logFormat: {
    group: 'Log',
    kind: oneOf(['auto', 'pretty', 'json']),
    fallback: 'auto',
    description:
      'Format of the log. With auto it is pretty on a terminal, and JSON lines otherwise.',
    reloadable: false,
  },
  accessLog: {
    group: 'Log',
    kind: oneOf(['all', 'refused', 'off']),
    fallback: 'refused',
    description:
      'Which responses of the public listener are logged, with the id of the key. The private listener logs all responses, or none with off. With all, a request takes three times the processor time.',
    reloadable: false,
  },
} as const satisfies SettingTable;
