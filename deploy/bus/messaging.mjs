import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../system/paths.mjs';

/** @returns {Promise<any>} the messaging library, which has to be built. */
export const messaging = () => import(pathToFileURL(path.join(ROOT, 'libs/messaging/dist/client.js')).href);
