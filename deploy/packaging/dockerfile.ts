import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '../system/paths.mjs';

export const DOCKERFILE = fs.readFileSync(path.join(ROOT, 'deploy/Dockerfile'), 'utf8');

export const COMMAND: string[] = JSON.parse(/^CMD (\[.*\])$/m.exec(DOCKERFILE)?.[1] ?? '[]');
