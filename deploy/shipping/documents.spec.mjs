import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../local/paths.mjs';
import { temporaryFolder } from '../local/temporary-folder.mjs';
import { readCompose } from './compose-file.mjs';

const read = (file) => fs.readFileSync(path.join(ROOT, file), 'utf8');
const listed = (folder) => fs.readdirSync(path.join(ROOT, folder)).map((name) => `${folder}/${name}`);
const built = (file) => import(pathToFileURL(path.join(ROOT, file)).href);
const exists = (file) => fs.existsSync(path.join(ROOT, file));
const matches = (text, pattern) => [...text.matchAll(pattern)].map(([, found]) => found);

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'deploy/README.md',
  'deploy/local/README.md',
  'gateway/README.md',
  ...listed('docs').filter((file) => file.endsWith('.md')),
  ...listed('services').map((folder) => `${folder}/README.md`),
];
/** Files that the worked example of CONTRIBUTING.md makes. */
const TO_BE_MADE = ['services/scheduling/src/pools/pool.rules.ts', 'services/scheduling/test/pools.spec.ts'];

describe.each(documents)('%s', (file) => {
  const text = read(file);

  it('links to what is there', () => {
    const targets = matches(text, /\]\((?!https?:)([^)#\s]+)/g);
    expect(targets.filter((target) => !exists(path.join(path.dirname(file), target)))).toEqual([]);
  });

  it('names files that are there', () => {
    const named = matches(text, /`((?:bench|deploy|docs|gateway|libs|services)\/[\w./-]+\w)\/?`/g);
    expect(named.filter((each) => !exists(each) && !TO_BE_MADE.includes(each))).toEqual([]);
  });

  it('names commands that there are', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const named = matches(text, /npm (?:run )?([a-z][a-z:]*)/g);
    const npmsOwn = ['ci', 'install', 'outdated'];
    expect(named.filter((each) => !scripts[each] && !npmsOwn.includes(each))).toEqual([]);
  });
});

it('the map of the house shows what is there', () => {
  const [map] = matches(read('README.md'), /## The map of the house\n+```\n([\s\S]*?)```/g);
  let above = '';
  for (const line of map.trimEnd().split('\n')) {
    const [, indent, name] = /^( *)(\S+)/.exec(line);
    if (indent === '') above = name;
    expect([name, exists(indent === '' ? name : above + name)]).toEqual([name, true]);
  }
});

describe('the table of errors', () => {
  const rows = new Map(
    [...read('docs/api-conventions.md').matchAll(/^\| `(\w+)` +\| (\d{3}) +\| (.*?) +\|$/gm)].map(
      ([, reason, status, message]) => [reason, { status: Number(status), message }],
    ),
  );

  it('says of every reason its status and message, and of nothing else', async () => {
    const { REASONS } = await built('libs/contracts/dist/errors.js');
    const { httpStatusOf } = await built('gateway/dist/http-status.js');
    const all = Object.entries(REASONS).map(([reason, { code, message }]) => {
      return [reason, { status: httpStatusOf(code, reason), message }];
    });
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(all));
  });
});

describe('deploy/README.md', () => {
  const text = read('deploy/README.md');
  let made;
  beforeAll(() => {
    made = temporaryFolder();
  });
  afterAll(() => made.remove());

  it('tells of every setting of the compose file', () => {
    const settings = new Set(matches(read('docker-compose.yml'), /\$\{(\w+)/g));
    const told = matches(text, /^\| `(\w+)` /gm);
    expect([...settings].filter((name) => !told.includes(name))).toEqual([]);
  });

  it('makes secrets that the compose file takes, in a file that nobody else can read', async () => {
    const [line] = matches(text, /^(\(umask .*)$/gm);
    execFileSync('sh', ['-c', line], { cwd: made.folder });
    const file = path.join(made.folder, '.env');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const secrets = parseEnv(fs.readFileSync(file, 'utf8'));
    const { environment } = readCompose(secrets).services.people;
    const { secret32 } = await built('libs/platform/dist/config.js');
    for (const name of ['KEY_PEPPER', 'DATA_KEY', 'CURSOR_SECRET'])
      expect(secret32.parse(environment[name])).toHaveLength(32);
  });
});
