import type { Deployment } from '../deployment.ts';
import { lookUntil } from '../look-until.ts';
import type { Report } from '../report.ts';
import { BUS_CERTIFICATES, inContainer } from './inside.ts';
import type { SecretFiles } from './settings.ts';

const WITHIN_MS = 60_000;

/** Makes the certificate of NATS and its CA anew: NATS presents it, and processes that connect anew believe it. */
export async function checkCertificates(deployment: Deployment, report: Report, files: SecretFiles) {
  const { sh } = deployment;
  const before = files.read('nats_ca');
  await sh('sh deploy/make-nats-certificates.sh');
  const changedAt = Date.now();
  const cas = [before, files.read('nats_ca')];
  const verdicts = () => inContainer<string[]>(deployment, 'gateway', BUS_CERTIFICATES, cas);
  await report.row('the certificate of NATS', 'the new CA trusts it within 60 s, the former one does not', async () => {
    await sh('docker compose kill --signal HUP nats');
    const [former, current] = await lookUntil(verdicts, ([, now]) => now === 'trusted', WITHIN_MS);
    const text = `by the new one: ${current}, after ${seconds(changedAt)} s; by the former one: ${former}`;
    return { seen: text, passed: current === 'trusted' && former !== 'trusted', inUseAfter: seconds(changedAt) };
  });
  await report.row('NATS is restarted: every process connects anew', 'healthy within 60 s', async () => {
    const restartedAt = Date.now();
    await sh('docker compose restart nats && docker compose up --no-recreate --wait --wait-timeout 60');
    const inUseAfter = seconds(restartedAt);
    return { seen: `after ${inUseAfter} s`, passed: true, inUseAfter };
  });
}

const seconds = (since: number) => Math.round((Date.now() - since) / 1_000);
