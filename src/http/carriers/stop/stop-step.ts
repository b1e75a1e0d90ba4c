/**
 * The steps of a stop that processes on one port take together: `held`, no request is answered; `closed`, the
 * listening socket is closed.
 */
export type StopStep = 'held' | 'closed';

/** Resolves when the other processes that listen on the port have reached a step, too. */
export type MeetAt = (step: StopStep) => Promise<void>;
