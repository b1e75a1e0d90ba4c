import type { PushedBody, PushResult } from '../../domain/quotes/push-report.ts';
import { ClaimHeldFault } from '../../store/contract/place.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { jsonDraft, retryAfter, type ResponseDraft } from '../handler/response-draft.ts';
import { Fields } from '../handler/fields.ts';
import { singleOf } from '../handler/request.ts';
import type { Route } from '../handler/visit.ts';
import { privateDraft } from './private-texts.ts';
import {
  BodyExpandsTooFar,
  BodyTooLong,
  CodingBroken,
  bodyCoding,
  readBody,
  smallBody,
} from './push-body.ts';

/** When a source may send again what could not be stored, in seconds. */
const comeBack = [retryAfter(1)];

/** The field with the address of the node that writes, of a response of one that does not. */
const writerField = 'pizarra-writer';

/** Maximum number of concurrent pushes. Further ones get 503. Each holds at most two batches of updates. */
const pushesMax = 64;

/**
 * The push of updates. The response is sent when all updates that it counts as accepted are durable and
 * visible. It is 200 if the body was read to its end, whatever was refused in it.
 */
export function updates({
  push,
  bytesMax,
}: {
  /** Takes the updates of a body. */
  readonly push: (body: PushedBody) => Promise<PushResult>;
  /** Maximum length of a body in bytes. Of a longer one, only what comes before is read. */
  readonly bytesMax: number;
}): Route {
  let underWay = 0;
  return {
    method: 'POST',
    path: '/updates',
    scope: 'ingest',
    takesBody: true,
    respond: async (visit) => {
      const { headers, body } = visit.request;
      const coding = bodyCoding(singleOf(headers['content-encoding']));
      if (coding === undefined) {
        const accepted = Fields.of({ 'accept-encoding': 'gzip, identity' });
        return privateDraft('coding-unknown', { fields: [accepted] });
      }
      if (Number(headers['content-length'] ?? 0) > bytesMax) {
        return { ...privateDraft('body-too-long', { report: emptyReport }), closes: true };
      }
      if (underWay >= pushesMax) {
        return privateDraft('pushes-too-many', { report: emptyReport, fields: comeBack });
      }
      if (body === undefined) throw new Error('a push was admitted without a body to read');
      if (headers['expect'] !== undefined) {
        visit.closes = false;
        body.proceed();
      }
      underWay += 1;
      try {
        const whole = coding === 'identity' ? await smallBody(visit.request) : undefined;
        return resultDraft(await push(whole ?? readBody(body, { coding, bytesMax })));
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
  noPriceYet: 0,
  held: 0,
  repeatedSession: 0,
  superseded: 0,
  refused: 0,
  booksRefused: 0,
  rangesRefused: 0,
  refusals: [],
  refusalsOmitted: 0,
};

function resultDraft({ report, stoppedBy }: PushResult): ResponseDraft {
  if (stoppedBy === undefined) return jsonDraft(JSON.stringify(report));
  if (stoppedBy instanceof BodyTooLong) {
    return { ...privateDraft('body-too-long', { report }), closes: true };
  }
  if (stoppedBy instanceof BodyExpandsTooFar) {
    return { ...privateDraft('body-expands-too-far', { report }), closes: true };
  }
  if (stoppedBy instanceof CodingBroken) return privateDraft('coding-broken', { report });
  if (stoppedBy instanceof ClaimHeldFault) {
    const writer = stoppedBy.holder.privateUrl;
    const error =
      writer === undefined
        ? 'This node does not write, and does not know which one does. Send the whole body again.'
        : `This node does not write. Send the whole body to ${writer}/updates, or here again.`;
    const fields =
      writer === undefined ? comeBack : [...comeBack, Fields.of({ [writerField]: writer })];
    return privateDraft('not-writer', {
      report: { error, writer: writer ?? null, ...report },
      fields,
    });
  }
  if (stoppedBy instanceof StoreFault) {
    return privateDraft('not-stored', { report, fields: comeBack });
  }
  // Either the client has left, and no response reaches it, or it is an error of ours, for the log.
  throw stoppedBy;
}
