import { auditHealth } from './checks/audit-health.ts';
import { backup } from './checks/backup.ts';
import type { Deployment } from './checks/deployment.ts';
import { guide } from './checks/guide.ts';
import { managed } from './checks/managed.ts';
import { natsServers } from './checks/nats-servers.ts';
import { kills, releases, starts } from './checks/replicas.ts';
import type { Report } from './checks/report.ts';
import { secrets } from './checks/secrets.ts';
import { shortForm } from './checks/short-form.ts';
import { checkImages } from './images/check-images.ts';

type Part = [name: string, run: (deployment: Deployment, report: Report) => Promise<void>];

const SHORT_FORM: Part = [
  'short form',
  async (deployment, report) => {
    await checkImages(deployment, report);
    await shortForm(deployment, report);
  },
];
/** What the long form adds to the short one on the engine: each part starts the product as it needs it. */
const INSIDE: Part[] = [
  ['starts', starts],
  ['releases', releases],
  ['kills', kills],
  ['nats-servers', natsServers],
  ['secrets', secrets],
  ['backup', backup],
  ['audit', auditHealth],
  ['managed', managed],
  ['guide', guide],
];
/** What it adds when the engine has been given back: the other commands of these names. */
const OUTSIDE = ['monitoring', 'kubernetes'];

/** What runs on the engine, and after it. */
interface Chosen {
  inside: Part[];
  outside: string[];
}

/** The short form without a word, with `all` each part too; with names these parts alone. */
export function chosenParts(words: string[]): Chosen {
  const names = [...INSIDE.map(([name]) => name), ...OUTSIDE];
  const unknown = words.filter((word) => word !== 'all' && !names.includes(word));
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: say all, or ${names.join(', ')}`);
  if (words.length === 0) return { inside: [SHORT_FORM], outside: [] };
  if (words.includes('all')) return { inside: [SHORT_FORM, ...INSIDE], outside: OUTSIDE };
  return {
    inside: INSIDE.filter(([name]) => words.includes(name)),
    outside: OUTSIDE.filter((name) => words.includes(name)),
  };
}
