/** The longest file of tests. It is here to start first, so that no other core waits for it at the end. */
import '../workers/workers.test.ts';
