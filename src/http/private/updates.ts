import type { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';

import { emptyReport, type PushedBody, type PushResult } from '../../domain/quotes/push-report.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { Fields, jsonDraft, retryAfter, type ResponseDraft } from '../handler/response.ts';
import { singleOf, type Request, type RequestBody, type Route } from '../handler/request.ts';
import { privateDraft, expansionRatioMax } from './private-texts.ts';

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
    respond: async (context) => {
      const { headers, body } = context.request;
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
        context.closes = false;
        body.proceed();
      }
      underWay += 1;
      try {
        const whole = coding === 'identity' ? await smallBody(context.request) : undefined;
        return resultDraft(await push(whole ?? readBody(body, { coding, bytesMax })));
      } finally {
        underWay -= 1;
      }
    },
  };
}

function resultDraft({ report, stoppedBy }: PushResult): ResponseDraft {
  if (stoppedBy === undefined) return jsonDraft(JSON.stringify(report));
  if (stoppedBy instanceof BodyFault) {
    const draft = privateDraft(stoppedBy.code, { report });
    // The rest of a body that is too large is not read.
    return stoppedBy.code === 'coding-broken' ? draft : { ...draft, closes: true };
  }
  if (!(stoppedBy instanceof StoreFault)) {
    // Either the client has left, and no response reaches it, or it is an error of ours, for the log.
    throw stoppedBy;
  }
  if (stoppedBy.holder !== undefined) {
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
  return privateDraft('not-stored', { report, fields: comeBack });
}

/** Why a body is not read to its end. The name is that of the error in the response. */
type BodyFaultCode =
  /** It is longer than the limit, compressed or decoded. */
  | 'body-too-long'
  /** It expands beyond {@link expansionRatioMax}. */
  | 'body-expands-too-far'
  /** It is not in the encoding that its head names. */
  | 'coding-broken';

/** A body that is not read to its end. */
class BodyFault extends Error {
  readonly code: BodyFaultCode;

  constructor(code: BodyFaultCode, options?: ErrorOptions) {
    super(code, options);
    this.name = 'BodyFault';
    this.code = code;
  }
}

/** Up to this size in bytes a body may expand whatever the ratio. */
export const ratioFreeBytes = 1_048_576;

/** The size of a decoded chunk, in bytes. */
const decodedChunkBytes = 65_536;

/** The supported encodings of a body. */
type BodyCoding = 'identity' | 'gzip';

/** The encoding that a Content-Encoding field names; undefined if it is not supported. */
function bodyCoding(header: string | undefined): BodyCoding | undefined {
  const coding = (header ?? 'identity').trim().toLowerCase();
  if (coding === 'x-gzip') return 'gzip';
  return coding === 'identity' || coding === 'gzip' ? coding : undefined;
}

/** Longer bodies are read in chunks, between which other requests are answered. */
const smallBytesMax = 16_384;

/**
 * A small body that has arrived together with its head; otherwise undefined, and nothing has been read. Reading
 * it through a stream would take longer than reading its updates.
 */
async function smallBody({ headers, body }: Request): Promise<Uint8Array | undefined> {
  const length = Number(headers['content-length'] ?? Infinity);
  if (length > smallBytesMax) return undefined;
  // The parser passes on the head before it reads the rest of the bytes that have arrived.
  await Promise.resolve();
  return body?.takeWhole();
}

/**
 * The chunks of a body, decoded, as fast as the caller takes them. The request stays open when the
 * caller stops early, because its response is still to be sent.
 *
 * @throws BodyFault `body-too-long` after `bytesMax` bytes, received or decoded; `body-expands-too-far` as soon as
 *   more is decoded than {@link expansionRatioMax} allows; `coding-broken` when the body cannot be decoded.
 */
async function* readBody(
  body: RequestBody,
  { coding, bytesMax }: { readonly coding: BodyCoding; readonly bytesMax: number },
): AsyncIterable<Uint8Array> {
  const { stream } = body;
  const gunzip = coding === 'gzip' ? gunzipped(body) : undefined;
  const decoded: Readable = gunzip ?? stream;
  let bytes = 0;
  try {
    for await (const chunk of decoded.iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Uint8Array).length;
      if (bytes > bytesMax) throw new BodyFault('body-too-long');
      if (gunzip !== undefined && bytes > allowedFor(gunzip.bytesWritten)) {
        throw new BodyFault('body-expands-too-far');
      }
      yield chunk as Uint8Array;
    }
  } catch (fault) {
    const { code = '' } = fault as NodeJS.ErrnoException;
    throw code.startsWith('Z_') ? new BodyFault('coding-broken', { cause: fault }) : fault;
  } finally {
    stream.unpipe();
    gunzip?.destroy();
    // The rest is read and dropped: a client that is still sending reads the response only after it.
    stream.resume();
  }
}

function allowedFor(compressedBytes: number): number {
  return Math.max(ratioFreeBytes, compressedBytes * expansionRatioMax);
}

function gunzipped(body: RequestBody): Gunzip {
  const gunzip = createGunzip({ chunkSize: decodedChunkBytes });
  // A pipe does not pass on that the client has left.
  body.stream.on('close', () => {
    if (!body.isComplete()) gunzip.destroy(new Error('the client has left'));
  });
  return body.stream.pipe(gunzip);
}
