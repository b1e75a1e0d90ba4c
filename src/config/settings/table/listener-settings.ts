import {
  addresses,
  basePath,
  integer,
  onOff,
  optionalOrigin,
  origins,
  pemFile,
  text,
} from './kinds.ts';
import { inGroup, type SettingTable } from './setting.ts';

/** Where the public listener is reached, and by whom. */
export const publicListenerSettings = inGroup('Public listener', {
  host: {
    kind: text('HOST'),
    fallback: '127.0.0.1',
    description: 'Address that the public listener binds to.',
  },
  port: {
    kind: integer('PORT', { min: 0, max: 65_535 }),
    fallback: '8080',
    description: 'Port of the public listener. With 0 the system chooses a free port.',
  },
  advertise: {
    kind: optionalOrigin(),
    fallback: '',
    description:
      'URL at which the other nodes reach the public listener. When empty, it consists of host, or the name of the machine if host stands for all addresses, and port.',
  },
  basePath: {
    kind: basePath(),
    fallback: '',
    description: 'Prefix of every public path, such as /v5.',
    reloadable: true,
  },
  tlsCert: {
    kind: pemFile(),
    fallback: '',
    description:
      'File of the certificate chain, PEM. With tlsCert and tlsKey the public listener uses TLS. Both files are read again when they change.',
  },
  tlsKey: {
    kind: pemFile(),
    fallback: '',
    description: "File of the certificate's private key, PEM.",
    secret: true,
  },
  behindProxy: {
    kind: addresses(),
    fallback: '',
    description:
      'Addresses of the proxies that terminate TLS in front of the public listener. Forwarded, X-Forwarded-For and X-Forwarded-Proto are trusted only from these addresses. Without tlsCert, only these addresses and loopback may send plain HTTP; other peers get 403.',
  },
  corsOrigins: {
    kind: origins(),
    fallback: '',
    description: 'Origins whose scripts may read responses in a browser.',
    reloadable: true,
  },
  urlKeys: {
    kind: onOff(),
    fallback: 'off',
    description:
      'Whether keys for URLs (scope url) are accepted in the path, as in /clave/KEY/cotizaciones, for tools that can send nothing but a URL. Anyone who sees such a URL can use its key (docs/security.md).',
    reloadable: true,
  },
} as const satisfies SettingTable);

/** Where the private listener is reached, and what it accepts. */
export const privateListenerSettings = inGroup('Private listener', {
  privateHost: {
    kind: text('HOST'),
    fallback: '127.0.0.1',
    description:
      'Address that the private listener binds to. It serves pushed updates, metrics and readiness.',
  },
  privatePort: {
    kind: integer('PORT', { min: 0, max: 65_535 }),
    fallback: '8081',
    description: 'Port of the private listener. With 0 the system chooses a free port.',
  },
  privateAdvertise: {
    kind: optionalOrigin(),
    fallback: '',
    description:
      'URL at which programs that push updates reach the private listener. A node that does not write sends that of the writer, in the header Pizarra-Writer. When empty, it is built from privateHost and privatePort, as advertise is from host and port.',
  },
  privateTlsCert: {
    kind: pemFile(),
    fallback: '',
    description:
      'File of the certificate chain of the private listener, PEM. With privateTlsCert and privateTlsKey it uses TLS. When empty, it uses tlsCert if other machines can reach it and privateBehindProxy is empty.',
  },
  privateTlsKey: {
    kind: pemFile(),
    fallback: '',
    description: "File of the private key of the private listener's certificate, PEM.",
    secret: true,
  },
  privateBehindProxy: {
    kind: addresses(),
    fallback: '',
    description: 'The same as behindProxy, for the private listener.',
  },
  updatesBodyBytesMax: {
    kind: integer('BYTES', { min: 1024, max: 1_099_511_627_776 }),
    fallback: '1073741824',
    description:
      'Maximum decoded size of a body of pushed updates, in bytes. A longer body gets 413, and only the updates before the limit are applied.',
  },
  updatesTimeoutMs: {
    kind: integer('MS', { min: 1_000, max: 86_400_000 }),
    fallback: '600000',
    description:
      'Maximum time to receive a whole body of pushed updates, in milliseconds. Then the connection is closed.',
  },
} as const satisfies SettingTable);
