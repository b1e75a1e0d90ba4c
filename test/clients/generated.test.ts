import { test } from 'node:test';

import { generatedFiles } from '../../clients/generate/files.ts';
import { assertGenerated } from '../support/generated-file.ts';

test('the types of the clients are those of the contract', () => {
  for (const [path, text] of generatedFiles()) {
    assertGenerated(path, () => text);
  }
});
