import type { FastifyReply } from 'fastify';

import type { PushResult } from '../../domain/push-report.ts';
import { StoreFault } from '../../store/store-fault.ts';
import { sendJson } from '../answer.ts';
import { sendPrivateError } from './private-route.ts';
import type { PrivateRoute } from './private-route.ts';
import { BodyExpandsTooFar, BodyTooLong, CodingBroken, bodyCoding, readBody } from './push-body.ts';

/** When a source may send again what could not be stored. */
const retryAfterSeconds = 1;

/** So many pushes may be under way; each holds two batches of updates at most. */
const pushesMax = 64;

/**
 * The push of updates. The answer comes when all that it counts as accepted is durable and shown. It
 * is 200 when the body was read to its end, whatever was refused in it.
 */
export function updatesRoute({
  push,
  bytesMax,
}: {
  /** Takes the updates of a body that comes in chunks. */
  readonly push: (body: AsyncIterable<Uint8Array>) => Promise<PushResult>;
  /** The longest body; of a longer one, only what comes before is taken. */
  readonly bytesMax: number;
}): PrivateRoute {
  let underWay = 0;
  return {
    method: 'POST',
    path: '/updates',
    scope: 'ingest',
    handle: async ({ raw, headers }, reply) => {
      const coding = bodyCoding(headers['content-encoding']);
      if (coding === undefined) {
        void reply.header('accept-encoding', 'gzip, identity');
        return sendPrivateError(reply, 415, 'coding-unknown');
      }
      if (Number(headers['content-length'] ?? 0) > bytesMax) {
        return sendPrivateError(reply, 413, 'body-too-long', emptyReport);
      }
      if (underWay >= pushesMax) {
        return sendPrivateError(comingBack(reply), 503, 'pushes-too-many', emptyReport);
      }
      if (headers.expect !== undefined) reply.raw.writeContinue();
      underWay += 1;
      try {
        return answer(reply, await push(readBody(raw, { coding, bytesMax })));
      } finally {
        underWay -= 1;
      }
    },
  };
}

const emptyReport: PushResult['report'] = {
  received: 0,
  accepted: 0,
  unchanged: 0,
  earlierSession: 0,
  offHours: 0,
  refused: 0,
  refusals: [],
  refusalsOmitted: 0,
};

function answer(reply: FastifyReply, { report, stoppedBy }: PushResult): FastifyReply {
  if (stoppedBy === undefined) return sendJson(reply, JSON.stringify(report));
  if (stoppedBy instanceof BodyTooLong) {
    return sendPrivateError(reply, 413, 'body-too-long', report);
  }
  if (stoppedBy instanceof BodyExpandsTooFar) {
    return sendPrivateError(reply, 413, 'body-expands-too-far', report);
  }
  if (stoppedBy instanceof CodingBroken) {
    return sendPrivateError(reply, 400, 'coding-broken', report);
  }
  if (stoppedBy instanceof StoreFault) {
    return sendPrivateError(comingBack(reply), 503, 'not-stored', report);
  }
  // The client has gone, and hears nothing; or it is a mistake of ours, and the log hears of it.
  throw stoppedBy;
}

function comingBack(reply: FastifyReply): FastifyReply {
  return reply.header('retry-after', String(retryAfterSeconds));
}
