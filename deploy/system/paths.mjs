import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The name under which this product keeps files outside its clone. */
export const PRODUCT = 'swim-lesson-scheduling';

/** The root folder of this clone, absolute. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/** All files of a local run: locks, logs, data, demo.json, stack.json. */
export const LOCAL = path.join(ROOT, '.local');
