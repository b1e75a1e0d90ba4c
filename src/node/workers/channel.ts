import type { ChildProcess } from 'node:child_process';
import type { Registry } from 'prom-client';

import type { SourcesState } from '../../domain/quotes/sources-state.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { StreamCount } from '../../http/stream/stream-limits.ts';
import type { StopStep } from '../../http/carriers/stop/listener-stop.ts';
import type { Settings } from '../../config/settings/settings.ts';

/** The metrics of one process, in the form of the metrics library. */
export type MetricsJson = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** What a worker serves. */
export interface WorkerMarket {
  readonly version: string;
  /** The id of the instance, the same in all its processes. */
  readonly instance: string;
  /** Number of processes that share the port. */
  readonly processes: number;
  readonly port: number;
  /** The universe as the primary has read it. The files may have changed since. */
  readonly universe: Pick<Universe, 'instruments' | 'markets' | 'panels' | 'derived' | 'bondTerms'>;
  readonly settings: Settings;
  readonly isSimulated: boolean;
  readonly sources: WorkerSources;
}

/** What only the process that runs the feeds knows. */
export interface WorkerSources {
  readonly state?: SourcesState | undefined;
  /** The ids of the services that this one follows. */
  readonly origins: readonly string[];
}

/** What the primary asks of a worker. */
export interface WorkerCalls {
  /** Serves this market from now on, in place of an earlier one. */
  show(market: WorkerMarket): Promise<void>;
  /** Called every second, so a worker that does not respond is blocked. */
  tell(sources: WorkerSources): void;
  metrics(): Promise<MetricsJson>;
  /** Drains, and ends the process. */
  stop(): Promise<void>;
  /** Sets the number of streams of a key in the other processes. */
  streams(count: StreamCount): void;
  /** Notes damage that another process has found in the store. */
  damaged(reason: string): void;
}

/** What a worker asks of the primary. */
export interface PrimaryCalls {
  /** Resolves when all processes have reached this step of a stop. */
  reach(step: StopStep): Promise<void>;
  /** Sets the number of streams of a key in this worker. */
  streams(count: StreamCount): void;
  damaged(reason: string): void;
}

type Calls = Readonly<Record<string, (value: never) => unknown>>;

/** A call or its result, transferred by structured clone. */
type Message =
  | { readonly id: number; readonly name: string; readonly value: unknown }
  | { readonly id: number; readonly result: unknown };

/**
 * One end of the channel between the primary and a worker. A call starts as soon as its message arrives, so calls
 * may overlap. A call of a process that ends never resolves: the caller also awaits that end.
 */
export class Channel<Others extends { [Name in keyof Others]: (value: never) => unknown }> {
  readonly #end: ChildProcess | NodeJS.Process;
  readonly #pending = new Map<number, (result: unknown) => void>();
  #calls = 0;

  /** @param onFault receives the fault of a call of this end, which then has no result. */
  constructor(end: ChildProcess | NodeJS.Process, own: object, onFault: (fault: unknown) => void) {
    this.#end = end;
    end.on('message', (message: Message) => {
      if ('name' in message) {
        void this.#answer(own as Calls, message).catch(onFault);
        return;
      }
      this.#pending.get(message.id)?.(message.result);
      this.#pending.delete(message.id);
    });
  }

  call<Name extends keyof Others & string>(
    name: Name,
    ...[value]: Parameters<Others[Name]>
  ): Promise<Awaited<ReturnType<Others[Name]>>> {
    const id = (this.#calls += 1);
    return new Promise((resolve) => {
      this.#pending.set(id, resolve as (result: unknown) => void);
      this.#send({ id, name, value });
    });
  }

  async #answer(
    own: Calls,
    { id, name, value }: Extract<Message, { readonly name: string }>,
  ): Promise<void> {
    const result = await own[name]?.(value as never);
    if (this.#end.connected) this.#send({ id, result });
  }

  /** A process that is ending does not receive the message. Its end is handled elsewhere. */
  #send(message: Message): void {
    this.#end.send?.(message, undefined, undefined, () => undefined);
  }
}
