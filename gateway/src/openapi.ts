import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from './openapi/document.js';
import { OPENAPI_FILE } from './pages.js';

const [mode] = process.argv.slice(2);
const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`;

if (mode === '--write') {
  writeFileSync(OPENAPI_FILE, text);
} else if (mode === '--check') {
  const isCurrent = existsSync(OPENAPI_FILE) && readFileSync(OPENAPI_FILE, 'utf8') === text;
  if (!isCurrent)
    process.stderr.write('gateway/openapi.json differs from the contracts: run `npm run openapi` and commit it.\n');
  process.exitCode = isCurrent ? 0 : 1;
} else {
  process.stderr.write('Pass --write or --check.\n');
  process.exitCode = 2;
}
