import { addresses, integer, optionalOrigin, pemFile, text } from './kinds.ts';
import type { SettingTable } from './setting.ts';

/** Where the private listener is reached, and what it accepts. */
export const privateListenerSettings = {
  privateHost: {
    group: 'Private listener',
    kind: text('HOST'),
    fallback: '127.0.0.1',
    description:
      'Address that the private listener binds to. It serves pushed updates, metrics and readiness.',
    reloadable: false,
  },
  privatePort: {
    group: 'Private listener',
    kind: integer('PORT', { min: 0, max: 65_535 }),
    fallback: '8081',
    description: 'Port of the private listener. With 0 the system chooses a free port.',
    reloadable: false,
  },
  privateAdvertise: {
    group: 'Private listener',
    kind: optionalOrigin(),
    fallback: '',
    description:
      'URL at which programs that push updates reach the private listener. A node that does not write sends them the URL of the one that does (Pizarra-Writer). When empty, it consists of privateHost and privatePort; if privateHost stands for all addresses, the name of the machine takes its place.',
    reloadable: false,
  },
  privateTlsCert: {
    group: 'Private listener',
    kind: pemFile(),
    fallback: '',
    description:
      'File of the certificate chain of the private listener, PEM. With privateTlsCert and privateTlsKey it uses TLS. When empty, it uses tlsCert if other machines can reach it and privateBehindProxy is empty.',
    reloadable: false,
  },
  privateTlsKey: {
    group: 'Private listener',
    kind: pemFile(),
    fallback: '',
    description: "File of the private key of the private listener's certificate, PEM.",
    reloadable: false,
    secret: true,
  },
  privateBehindProxy: {
    group: 'Private listener',
    kind: addresses(),
    fallback: '',
    description:
      'Addresses of the proxies that terminate TLS in front of the private listener. What behindProxy does for the public listener, this setting does for the private one.',
    reloadable: false,
  },
  updatesBodyBytesMax: {
    group: 'Private listener',
    kind: integer('BYTES', { min: 1024, max: 1_099_511_627_776 }),
    fallback: '1073741824',
    description:
      'Maximum decoded size of a body of pushed updates, in bytes. A longer body gets 413, and only the updates before the limit are applied.',
    reloadable: false,
  },
  updatesTimeoutMs: {
    group: 'Private listener',
    kind: integer('MS', { min: 1_000, max: 86_400_000 }),
    fallback: '600000',
    description:
      'Maximum time to receive a whole body of pushed updates, in milliseconds. Then the connection is closed.',
    reloadable: false,
  },
} as const satisfies SettingTable;
