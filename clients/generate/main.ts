import { writeFileSync } from 'node:fs';

import { generatedFiles } from './files.ts';

const root = new URL('../../', import.meta.url);
for (const [path, text] of generatedFiles()) writeFileSync(new URL(path, root), text);
