import { fileURLToPath } from 'node:url';

/** The committed OpenAPI document, which is also what `GET /v1/openapi.json` answers. */
export const OPENAPI_FILE = fileURLToPath(new URL('../../openapi.json', import.meta.url));
