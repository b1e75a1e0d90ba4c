import type { NodeRecord } from '../../../src/store/contract/nodes.ts';

/** The record of a node, as it registers itself. A test gives what it is about. */
export function nodeRecord(own: Partial<NodeRecord> = {}): NodeRecord {
  return {
    instance: 'registered',
    role: 'all',
    host: 'here',
    pid: 1,
    version: '1',
    url: '',
    privateUrl: '',
    advertisedUrl: '',
    advertisedPrivateUrl: '',
    tlsCert: '',
    privateTlsCert: '',
    ...own,
  };
}
