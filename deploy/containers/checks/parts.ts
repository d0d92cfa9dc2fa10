import { ROOT } from '../../system/paths.mjs';
import { runCommand } from '../../system/processes/run-command.mjs';
import { auditHealth } from './audit-health.ts';
import type { Deployment } from './deployment.ts';
import { guide } from './guide.ts';
import { managed } from './managed.ts';
import { natsServers } from './nats-servers.ts';
import { kills, releases, starts } from './replicas.ts';
import type { Report } from './report.ts';
import { secrets } from './secrets.ts';
import { shortForm } from './short-form.ts';

type Part = (deployment: Deployment, report: Report) => Promise<void>;

/** Runs a command of `package.json`, whose last line says what it has seen. */
const program =
  (name: string): Part =>
  async (_, report) => {
    report.begin(`\`npm run ${name}\``);
    await report.row(`\`npm run ${name}\``, 'exit code 0', async () => {
      const printed = await runCommand('npm', ['run', '--silent', name], { cwd: ROOT });
      return { seen: printed.trim().split('\n').at(-1)!, passed: true };
    });
  };

/** What the long form adds to the short one: each part starts the product as it needs it. */
const PARTS: Record<string, Part> = {
  starts,
  releases,
  kills,
  'nats-servers': natsServers,
  secrets,
  audit: auditHealth,
  managed,
  guide,
  monitoring: program('monitoring'),
  kubernetes: program('kubernetes'),
};

/** The short form without a word, with `all` each part too; with names these parts alone. */
export function chosenParts(words: string[]): Part[] {
  const unknown = words.filter((word) => word !== 'all' && !(word in PARTS));
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: say all, or ${Object.keys(PARTS).join(', ')}`);
  if (words.includes('all')) return [shortForm, ...Object.values(PARTS)];
  return words.length === 0 ? [shortForm] : words.map((word) => PARTS[word]!);
}
