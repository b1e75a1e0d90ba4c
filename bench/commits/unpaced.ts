/**
 * Preloaded into the program by `bench/commits.ts`: every commit starts as soon as the one before has ended, as
 * before commits had a pace.
 */
import { CommitPace } from '../../src/pipeline/live/commit-pace.ts';

CommitPace.prototype.waitMs = () => 0;
