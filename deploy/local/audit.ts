import { spawn } from 'node:child_process';
import path from 'node:path';
import { readJson } from '../system/files/json-file.ts';
import { LOCAL, ROOT } from '../system/paths.mjs';
import { nodeProgram } from '../system/processes/node-program.mjs';

/**
 * `npm run audit`: compares the ledgers of all bookings with payments, refunds and makeup credits, in the database of the running
 * stack or of `MONGODB_URI`; of these bookings alone: `npm run audit -- bkg_…`. Exit code 0: nothing differs; 1: it printed what
 * does; 2: it could not be completed.
 */
const stack = readJson(path.join(LOCAL, 'stack.json')) as { mongodb_uri?: string } | null;
const uri = process.env.MONGODB_URI ?? stack?.mongodb_uri;
if (!uri) {
  console.error('No stack of this clone is running: start it with `npm start`, or set MONGODB_URI.');
  process.exit(2);
}
const child = spawn(nodeProgram(), [path.join(ROOT, 'services/booking/dist/audit.js'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, MONGODB_URI: uri },
});
child.once('exit', (code) => process.exit(code ?? 2));
