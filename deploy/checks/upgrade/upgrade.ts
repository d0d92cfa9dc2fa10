import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { LOCAL, ROOT } from '../../system/paths.mjs';
import { commitOf, makeTree } from './commit-tree.ts';
import type { Snapshot } from './snapshot.ts';
import { type Finding, findingsOf } from './upgrade.rules.ts';

const SNAPSHOT = path.join(ROOT, 'deploy/checks/upgrade/snapshot.ts');

function latestTag(): string | null {
  try {
    return execFileSync('git', ['describe', '--tags', '--abbrev=0'], { cwd: ROOT, encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

/** The contracts of a tree; read by a process of its own, since modules of two trees have the same names. */
function read(root: string): Snapshot {
  const file = path.join(LOCAL, 'upgrade', `snapshot-${process.pid}.json`);
  execFileSync(process.execPath, [SNAPSHOT, root, file], { stdio: ['ignore', 'inherit', 'inherit'] });
  const snapshot = JSON.parse(fs.readFileSync(file, 'utf8')) as Snapshot;
  fs.rmSync(file);
  return snapshot;
}

const print = (title: string, found: readonly Finding[]): void => {
  if (found.length > 0) console.log([title, ...found.map(({ where, text }) => `  ${where}: ${text}`)].join('\n'));
};

function compareWith(base: string): void {
  const tree = makeTree(base);
  const found = findingsOf(read(tree), read(ROOT));
  fs.rmSync(tree, { recursive: true, force: true });
  const broken = found.filter(({ level }) => level === 'break');
  const ordered = found.filter(({ level }) => level === 'order');
  print('These fail while both versions run; make each in two releases:', broken);
  print('These are sent and read one release later, or their service is replaced first:', ordered);
  console.log(
    `Since ${base.slice(0, 12)}: ${broken.length} changes break an update, ${ordered.length} depend on its order.`,
  );
  process.exitCode = broken.length > 0 ? 1 : 0;
}

const base = process.argv[2] ?? latestTag();
if (base === null)
  console.log('Nothing is compared, since no release has a tag. Name a commit: `npm run check:upgrade -- main~20`.');
else compareWith(commitOf(base));
