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
import type { SettingTable } from './setting.ts';

/** Where the public listener is reached, and by whom. */
export const publicListenerSettings = {
  host: {
    group: 'Public listener',
    kind: text('HOST'),
    fallback: '127.0.0.1',
    description: 'Address that the public listener binds to.',
    reloadable: false,
  },
  port: {
    group: 'Public listener',
    kind: integer('PORT', { min: 0, max: 65_535 }),
    fallback: '8080',
    description: 'Port of the public listener. With 0 the system chooses a free port.',
    reloadable: false,
  },
  advertise: {
    group: 'Public listener',
    kind: optionalOrigin(),
    fallback: '',
    description:
      'URL at which the other nodes reach the public listener. They ask there whether this node reads the database (docs/scaling.md). When empty, it consists of host and port; if host stands for all addresses, the name of the machine takes its place.',
    reloadable: false,
  },
  basePath: {
    group: 'Public listener',
    kind: basePath(),
    fallback: '',
    description: 'Prefix of every public path, such as /v5.',
    reloadable: true,
  },
  tlsCert: {
    group: 'Public listener',
    kind: pemFile(),
    fallback: '',
    description:
      'File of the certificate chain, PEM. With tlsCert and tlsKey the public listener uses TLS. Both files are read again when they change.',
    reloadable: false,
  },
  tlsKey: {
    group: 'Public listener',
    kind: pemFile(),
    fallback: '',
    description: "File of the certificate's private key, PEM.",
    reloadable: false,
    secret: true,
  },
  behindProxy: {
    group: 'Public listener',
    kind: addresses(),
    fallback: '',
    description:
      'Addresses of the proxies that terminate TLS in front of the public listener. Forwarded, X-Forwarded-For and X-Forwarded-Proto are trusted only from these addresses. Without tlsCert, only these addresses and loopback may send plain HTTP; other peers get 403.',
    reloadable: false,
  },
  corsOrigins: {
    group: 'Public listener',
    kind: origins(),
    fallback: '',
    description:
      'Origins whose scripts may read responses in a browser. Scripts of all other origins may not.',
    reloadable: true,
  },
  urlKeys: {
    group: 'Public listener',
    kind: onOff(),
    fallback: 'off',
    description:
      'Whether keys for URLs (scope url) are accepted in the path, as in /clave/KEY/cotizaciones, for tools that can send nothing but a URL. Anyone who sees such a URL can use its key (docs/security.md).',
    reloadable: true,
  },
} as const satisfies SettingTable;
