import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '../system/paths.mjs';

/** The text of deploy/Dockerfile. */
export const DOCKERFILE = fs.readFileSync(path.join(ROOT, 'deploy/Dockerfile'), 'utf8');

/** The program of the image and its arguments. */
export const COMMAND: string[] = JSON.parse(/^CMD (\[.*\])$/m.exec(DOCKERFILE)?.[1] ?? '[]');
