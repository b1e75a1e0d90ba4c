/** What a fault has shown. */
export interface Outcome {
  /** From the fault to the next acknowledged update; undefined when the writer was not concerned. */
  readonly takeOverMs?: number;
  /** What must not have happened. */
  readonly findings?: readonly string[];
  /** What was measured. */
  readonly notes?: readonly string[];
  /** Why the fault could not happen on this machine. */
  readonly skipped?: string;
}
