import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '../system/paths.mjs';
import { messaging } from './messaging.ts';

const FILE = path.join(ROOT, 'deploy/nats.conf');
const MARK = '# From here on written by `node deploy/bus/nats-conf.ts --write`, from the contracts.\n';

// The accounts of nats.conf follow from the contracts: `--write` writes them, `--check` compares them.
const { natsAccounts } = await messaging();
const text = fs.readFileSync(FILE, 'utf8');
const own = text.split(MARK)[0];
const due = `${own}${MARK}${natsAccounts((process) => `$NATS_PASSWORD_${process.toUpperCase().replace('-', '_')}`)}`;
if (process.argv[2] === '--write') fs.writeFileSync(FILE, due);
else if (text !== due) {
  console.error('deploy/nats.conf differs from the contracts: run `npm run generate` and commit it.');
  process.exitCode = 1;
}
