import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../system/paths.mjs';
import { makeSecrets } from './secrets.ts';

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8');
const listed = (folder: string) => fs.readdirSync(path.join(ROOT, folder)).map((name) => `${folder}/${name}`);
const exists = (file: string) => fs.existsSync(path.join(ROOT, file));
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'bench/README.md',
  'deploy/README.md',
  'deploy/local/README.md',
  'gateway/README.md',
  ...['docs', 'docs/adr', 'docs/how-to'].flatMap(listed).filter((file) => file.endsWith('.md')),
  ...listed('services').map((folder) => `${folder}/README.md`),
];

describe.each(documents)('%s', (file) => {
  const text = read(file);

  it('links to what is there', () => {
    const targets = matches(text, /\]\((?!https?:)([^)#\s]+)/g);
    expect(targets.filter((target) => !exists(path.join(path.dirname(file), target)))).toEqual([]);
  });

  it('names files that are there', () => {
    const named = matches(text, /`((?:bench|deploy|docs|gateway|libs|services)\/[\w./-]+\w)\/?`/g);
    expect(named.filter((each) => !exists(each))).toEqual([]);
  });

  it('names commands that there are', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const named = matches(text, /npm (?:run )?([a-z][\w:]*)/g);
    const npmsOwn = ['ci', 'install', 'outdated'];
    expect(named.filter((each) => !scripts[each] && !npmsOwn.includes(each))).toEqual([]);
  });
});

it('the list of folders names existing ones', () => {
  const [map = ''] = matches(read('README.md'), /## Folders\n+```\n([\s\S]*?)```/g);
  let above = '';
  for (const line of map.trimEnd().split('\n')) {
    const [, indent = '', name = ''] = /^( *)(\S+)/.exec(line) ?? [];
    if (indent === '') above = name;
    expect([name, exists(indent === '' ? name : above + name)]).toEqual([name, true]);
  }
});

describe('deploy/README.md', () => {
  const text = read('deploy/README.md');

  it('documents every setting of the compose file', () => {
    const settings = new Set(matches(read('docker-compose.yml'), /\$\{(\w+)/g));
    const documented = matches(text, /`([A-Z_]+)`/g);
    expect([...settings].filter((name) => !documented.includes(name))).toEqual([]);
  });

  it('makes secrets that the services take', async () => {
    expect(text).toMatch(/^sh deploy\/make-secrets\.sh$/m);
    const secrets = makeSecrets();
    const { secret32 } = await import('@swim/platform');
    for (const name of [
      'key_pepper',
      'cursor_secret',
      ...listed('services').map((each) => `data_key_${path.basename(each)}`),
    ])
      expect(secret32.parse(secrets.read(name))).toHaveLength(32);
    secrets.remove();
  });
});
