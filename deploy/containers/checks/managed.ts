import fs from 'node:fs';
import path from 'node:path';
import type { Deployment } from './deployment.ts';
import type { Report } from './report.ts';
import { bookFirst } from './short-form.ts';

const ELSEWHERE =
  'FRONT_SUBNET=10.213.81.0/26 docker compose --project-name elsewhere --file docker-compose.yml --file elsewhere.yml';
/** The servers of another project, which this machine publishes. */
const PUBLISHED = `services:
  mongo: { ports: ["27017:27017"] }
  nats: { ports: ["4222:4222"] }
networks:
  data: { internal: false }
  bus: { internal: false }
`;
const FILES = 'docker-compose.yml:deploy/compose.managed-mongo.yml:deploy/compose.managed-nats.yml';

/** Runs the product with the database and the NATS of another project, by their addresses. */
export async function managed(deployment: Deployment, report: Report) {
  const { sh, folder } = deployment;
  report.begin('MongoDB and NATS elsewhere');
  deployment.write('elsewhere.yml', PUBLISHED);
  await sh('docker compose down --volumes --remove-orphans --timeout 5');
  await sh(`${ELSEWHERE} up --wait mongo nats`);
  const host = (await sh("docker network inspect bridge --format '{{(index .IPAM.Config 0).Gateway}}'")).trim();
  const former = moveAddresses(folder, host);
  deployment.set({ COMPOSE_FILE: FILES, NATS_URL: `nats://${host}:4222` });
  try {
    await report.row('`docker compose up --build --wait` with both files', 'no server of its own', async () => {
      await sh('sh deploy/make-secrets.sh && docker compose up --build --wait');
      const services = (await sh('docker compose ps --services')).trim().split('\n');
      const own = services.filter((service) => ['mongo', 'nats', 'nats-volume'].includes(service));
      return { seen: own.join(', ') || `none among ${services.length} services`, passed: own.length === 0 };
    });
    await bookFirst(deployment, report);
  } finally {
    await sh('docker compose down --volumes --timeout 5');
    await sh(`${ELSEWHERE} down --volumes --timeout 5`);
    for (const [file, text] of former) fs.writeFileSync(file, text);
    deployment.set({});
    await sh('sh deploy/make-secrets.sh');
  }
}

/** Writes the host into the address of each user of the database. */
function moveAddresses(folder: string, host: string) {
  const secrets = path.join(folder, 'secrets');
  const files = fs.readdirSync(secrets).filter((name) => name.startsWith('mongodb_uri_'));
  return files.map((name) => {
    const file = path.join(secrets, name);
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, text.replace('@mongo:', `@${host}:`));
    return [file, text] as const;
  });
}
