import fs from 'node:fs';
import path from 'node:path';
import type { Deployment } from './deployment.ts';
import type { Report, Seen } from './report.ts';
import { OTHERS } from './secrets/changes.ts';

const GUIDE = 'deploy/README.md';
const OVERRIDE = 'docker-compose.override.yml';

/** What a block prints beside its exit code. */
const PRINTED: [part: string, pattern: RegExp][] = [
  ['dist/demo.js', /"school".*"family"/],
  ['dist/audit.js', /"env":"live".*"differences":0/],
  ['backup.sh dump', /\{"from":".*"until":"/],
  ['backup.sh restore', /\{"restored":\{"from":.*\{"replay":\d+/s],
  ['erasures.js pending', /\{"pending":0/],
];

/** Executes every block of commands of the guide, in its order, in a clone that has no secrets yet. */
export async function guide(deployment: Deployment, report: Report) {
  const { folder, sh } = deployment;
  report.begin(`The commands of ${GUIDE}`);
  await sh('docker compose down --volumes --remove-orphans --timeout 5');
  fs.rmSync(path.join(folder, 'secrets'), { recursive: true, force: true });
  for (const { lang, text } of blocksOf(fs.readFileSync(path.join(folder, GUIDE), 'utf8'))) {
    const title = `\`${text.replaceAll('\n', '; ').replaceAll('|', '\\|')}\``;
    if (lang === 'yaml') await report.row(`an override file: ${title}`, 'taken', () => override(deployment, text));
    else if (lang === 'sh') await report.row(title, 'exit code 0', () => execute(deployment, text));
  }
  fs.rmSync(path.join(folder, OVERRIDE), { force: true });
}

/** The blocks of code of a document, also those in its lists. */
function blocksOf(document: string) {
  const blocks = document.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms);
  return [...blocks].map(([, indent = '', lang, text = '']) => ({
    lang,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trim(),
  }));
}

async function execute({ folder, sh }: Deployment, text: string): Promise<Seen> {
  if (text.includes('compose.stripe.yml'))
    for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']) {
      const file = path.join(folder, 'secrets', name.toLowerCase());
      fs.writeFileSync(file, OTHERS[name]!());
    }
  const printed = await sh(text);
  const wanted = PRINTED.find(([part]) => text.includes(part))?.[1];
  if (wanted && !wanted.test(printed)) return { seen: `exit code 0, and prints\n${printed}`, passed: false };
  return { seen: wanted ? 'exit code 0, and prints what it should' : 'exit code 0', passed: true };
}

/** The settings of an override file are those of the container. */
async function override({ sh, write }: Deployment, text: string): Promise<Seen> {
  write(OVERRIDE, text);
  const [, service] = /^services:\n {2}(\w+):/.exec(text)!;
  await sh(`docker compose up --wait ${service}`);
  const settings = await sh(`docker inspect --format '{{.Config.Env}}' $(docker compose ps --quiet ${service})`);
  const set = [...text.matchAll(/(\w+): "(.*)"/g)].map(([, name, value]) => `${name}=${value}`);
  return { seen: set.join(', '), passed: set.length > 0 && set.every((each) => settings.includes(each)) };
}
