import type { Peer, Request } from '../../handler/request.ts';
import { readPlainHead, readPlainPost, type PlainHead } from './request-head.ts';
import { WholeBody } from './whole-body.ts';

/** The GET or HEAD that a text is the whole of; undefined if it is anything else ({@link readPlainHead}). */
export function plainRequest(text: string, peer: Peer): Request | undefined {
  const head = readPlainHead(text);
  return head === undefined ? undefined : requestOf(head, peer);
}

/** The POST that bytes are the whole of; undefined if they are anything else ({@link readPlainPost}). */
export function plainPost(bytes: Buffer, headBytesMax: number, peer: Peer): Request | undefined {
  const post = readPlainPost(bytes, headBytesMax);
  return post === undefined ? undefined : requestOf(post.head, peer, new WholeBody(post.body));
}

function requestOf({ method, target, headers }: PlainHead, peer: Peer, body?: WholeBody): Request {
  return {
    peer,
    method,
    target,
    version: '1.1',
    headers,
    count: (name) => (name in headers ? 1 : 0),
    hasBody: body !== undefined,
    keepsAlive: true,
    headBytes: undefined,
    body,
    reading: undefined,
  };
}
