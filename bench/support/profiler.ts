import { once } from 'node:events';

/** A CPU profile of V8: the sampled time of each node of the call tree. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

/** Interval between samples, in microseconds. With a much shorter one, the sampling affects the result. */
const samplingIntervalUs = 500;

/** Profiles a Node process that was started with `--inspect` on a port, while `work` runs. */
export async function profileWhile(
  inspectPort: number,
  work: () => Promise<unknown>,
): Promise<CpuProfile> {
  const listed = await fetch(`http://127.0.0.1:${inspectPort}/json/list`);
  const [target] = (await listed.json()) as readonly { readonly webSocketDebuggerUrl: string }[];
  if (target === undefined) throw new Error('no process can be inspected on this port');
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
