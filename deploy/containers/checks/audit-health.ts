import type { Deployment } from './deployment.ts';
import { lookUntil } from './look-until.ts';
import type { Report } from './report.ts';

const WITHIN_MS = 60_000;
const HEALTH = "docker inspect --format '{{.State.Health.Status}}' $(docker compose ps --all --quiet audit)";

/** The audit is healthy only with its database. */
export async function auditHealth(deployment: Deployment, report: Report) {
  const { sh } = deployment;
  report.begin('The audit without its database');
  await sh('docker compose up --wait mongo audit');
  for (const [act, wanted] of [
    ['docker compose stop mongo', 'unhealthy'],
    ['docker compose up --wait mongo', 'healthy'],
  ] as const)
    await report.row(`\`${act}\``, `${wanted} within 60 s`, async () => {
      await sh(act);
      const doneAt = Date.now();
      const isWanted = (status: string) => status === wanted;
      const status = await lookUntil(async () => (await sh(HEALTH)).trim(), isWanted, WITHIN_MS);
      return { seen: `${status} after ${Math.round((Date.now() - doneAt) / 1_000)} s`, passed: status === wanted };
    });
}
