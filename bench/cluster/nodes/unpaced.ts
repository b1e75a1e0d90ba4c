/**
 * Preloaded into the program by `bench/cluster/commits.ts`: every commit starts as soon as the one before has
 * ended.
 */
import { CommitPace } from '../../../src/pipeline/live/commit-pace.ts';

CommitPace.prototype.waitMs = () => 0;
