import type { FeedConfig } from '../../feeds/contract/feed-type.ts';
import type { Failure } from './exchange-record.ts';

/** What advice depends on, besides the failure. */
export interface AdviceContext {
  readonly config: FeedConfig;
  /** The host of the request. Undefined for a failure before any request. */
  readonly host?: string | undefined;
  readonly status?: number | undefined;
  /** Whether the markets of the source are open. */
  readonly isOpen: boolean;
}

const report =
  'Save the bodies with --save DIR and report them with the output of this command: the format may have changed.';

/** What to do about a failure, in a sentence or two. */
export function advise(failure: Failure, context: AdviceContext): string {
  const { host = 'the server', isOpen } = context;
  switch (failure.at) {
    case 'name':
      return `Check the name in \`url\`, and whether this machine resolves it: getent hosts ${host}.`;
    case 'connection':
      return `Check that this machine may connect to ${host}: its network, its firewall, and the port in \`url\`.`;
    case 'tls':
      return adviseOnTls(failure, host);
    case 'response':
      return `The server was reached but did not respond in time, or this network drops its packets. Check again in a few minutes, and from another network.`;
    case 'status':
      return adviseOnStatus(failure, context);
    case 'body':
      return 'The connection broke while data were sent. Check again. If it breaks each time, a proxy or a firewall on the way may cut it.';
    case 'content':
      return adviseOnContent(failure, isOpen);
    case 'program':
      return `This is a defect of Pizarra. Please report it. ${report}`;
  }
}

function adviseOnTls({ fault }: Failure, host: string): string {
  const { systemCode = '' } = fault ?? {};
  if (/EXPIRED|NOT_YET_VALID/.test(systemCode)) {
    return `Check the clock of this machine. If it is right, the certificate of ${host} is out of date, and only its operator can replace it.`;
  }
  if (/ALTNAME|HOSTNAME/.test(systemCode)) {
    return `The certificate is of another name than ${host}. Check \`url\`; a proxy or a captive portal of this network may also answer in its place.`;
  }
  return `If this network has an authority of its own, as a proxy that inspects TLS has, name its PEM file as \`ca\` of this source. Otherwise do not trust the server: another one may answer in its place.`;
}

function adviseOnStatus({ fault }: Failure, { config, status }: AdviceContext): string {
  switch (fault?.code) {
    case 'limited': {
      const { retryAfterMs } = fault ?? {};
      const wait =
        retryAfterMs === undefined ? 'some minutes' : `${Math.ceil(retryAfterMs / 1_000)} s`;
      return `Wait ${wait} before the next check. All programs behind the same address share the limit, a running service included; a longer \`pollSeconds\` makes fewer requests.`;
    }
    case 'refused':
      return adviseOnRefusal(config);
    case 'invalid-request':
      return `Check \`url\`. If it is right, the source no longer has this path or this symbol. ${report}`;
    case 'unavailable':
      return `The source has a fault of its own (status ${status ?? 'unknown'}). Check again later.`;
    case 'unintelligible':
    case 'untrusted':
    case undefined:
      return `Check \`url\`: the server does not answer as the source does. ${report}`;
  }
}

function adviseOnRefusal(config: FeedConfig): string {
  return hasKey(config)
    ? 'Check the key and what the account permits: `key` and `secret` of this source name their places.'
    : 'The source refuses this program or this address. Try another `userAgent`, and open the address in a browser on this machine: some sources refuse whole countries or data centres.';
}

function adviseOnContent({ message, fault }: Failure, isOpen: boolean): string {
  if (message.includes('is a demonstration')) {
    return 'Follow a service that has prices of the market, or give that one a source of them.';
  }
  if (fault?.code === 'refused') {
    return 'Check the key and what the account permits: `key` and `secret` of this source name their places.';
  }
  if (fault?.code === 'limited') {
    return 'Wait some minutes before the next check. All programs behind the same address share the limit, a running service included.';
  }
  if (fault?.code === 'unavailable') {
    return 'The source says so itself. If the account permits one connection only, a running service uses it, and its /readyz shows the state of this source.';
  }
  if (message.includes('a page instead of')) {
    return `Open the address in a browser on this machine: it may show a login page of this network, or ask whether you are a robot. Then another \`userAgent\` may help. ${report}`;
  }
  if (isOpen) return report;
  return `The markets of this source are closed, so it may have nothing to send: check again while one of them is open. If it fails then too: ${report}`;
}

/** What to do about a fault before any request. */
export function adviseOnStart(failure: Failure, config: FeedConfig): string {
  if (failure.at === 'program') return `This is a defect of Pizarra. Please report it.`;
  return hasKey(config)
    ? 'Run this command with the environment and as the user of the service, so that it finds the same keys.'
    : report;
}

/** What to do about rows that were rejected. */
export const adviseOnRows = report;

function hasKey(config: FeedConfig): boolean {
  return 'key' in config && config['key'] !== undefined;
}
