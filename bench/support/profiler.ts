import { once } from 'node:events';

/** A V8 profile of the processor: how much time was sampled in each node of the tree of calls. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

/** Samples are this far apart, in microseconds; much closer and the sampling itself shows. */
const samplingIntervalUs = 500;

/** Profiles a Node that was started with `--inspect` on a port, while `work` runs. */
export async function profileWhile(
  inspectPort: number,
  work: () => Promise<unknown>,
): Promise<CpuProfile> {
  const listed = await fetch(`http://127.0.0.1:${inspectPort}/json/list`);
  const [target] = (await listed.json()) as readonly { readonly webSocketDebuggerUrl: string }[];
  if (target === undefined) throw new Error('there is nothing to inspect');
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await once(socket, 'open');
  try {
    await send(socket, 1, 'Profiler.enable');
    await send(socket, 2, 'Profiler.setSamplingInterval', { interval: samplingIntervalUs });
    await send(socket, 3, 'Profiler.start');
    await work();
    const { profile } = await send(socket, 4, 'Profiler.stop');
    return profile as CpuProfile;
  } finally {
    socket.close();
  }
}

async function send(
  socket: WebSocket,
  id: number,
  method: string,
  params: object = {},
): Promise<Readonly<Record<string, unknown>>> {
  const answered = Promise.withResolvers<Readonly<Record<string, unknown>>>();
  const listen = ({ data }: MessageEvent): void => {
    const message = JSON.parse(String(data)) as { readonly id?: number; readonly result?: object };
    if (message.id === id) answered.resolve({ ...message.result });
  };
  socket.addEventListener('message', listen);
  socket.send(JSON.stringify({ id, method, params }));
  const result = await answered.promise;
  socket.removeEventListener('message', listen);
  return result;
}
