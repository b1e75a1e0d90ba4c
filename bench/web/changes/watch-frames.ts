/** The frames of some time. */
export interface Frames {
  readonly framesPerSecond: number;
  readonly p99Ms: number;
  readonly longTasksPerMinute: number;
}

/** Records the frames of a duration. Runs in the page. */
export async function watchFrames(durationMs: number): Promise<Frames> {
  const intervals: number[] = [];
  let longTasks = 0;
  const tasks = new PerformanceObserver((list) => {
    longTasks += list.getEntries().length;
  });
  tasks.observe({ type: 'longtask' });
  await new Promise<void>((done) => {
    const started = performance.now();
    let last = started;
    const frame = (now: number) => {
      intervals.push(now - last);
      last = now;
      if (now - started < durationMs) requestAnimationFrame(frame);
      else done();
    };
    requestAnimationFrame(frame);
  });
  tasks.disconnect();
  intervals.sort((a, b) => a - b);
  return {
    framesPerSecond: Math.round((intervals.length / durationMs) * 1_000),
    p99Ms: Math.round(intervals[Math.floor(intervals.length * 0.99)] ?? 0),
    longTasksPerMinute: Math.round((longTasks * 60_000) / durationMs),
  };
}
