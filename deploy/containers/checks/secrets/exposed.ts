import fs from 'node:fs';
import type { Deployment } from '../deployment.ts';
import type { Report } from '../report.ts';
import type { SecretFiles } from './settings.ts';

/** Looks for every secret that there ever was where others than the processes can read. */
export async function findExposed({ sh }: Deployment, report: Report, files: SecretFiles) {
  const ids = (await sh('docker ps --all --quiet')).trim().split('\n').join(' ');
  const places: Record<string, () => Promise<string>> = {
    '`docker inspect` of containers and images': () =>
      sh(
        `docker inspect ${ids}; docker inspect $(docker images --quiet | sort -u); docker history --no-trunc swim-lesson-scheduling-people`,
      ),
    'environments and arguments of processes': async () =>
      [...(await pidsOf(ids, sh))]
        .map((pid) => readAll(`/proc/${pid}/environ`) + readAll(`/proc/${pid}/cmdline`))
        .join('\n'),
    'logs of all processes of the product': async () => {
      const services = (await sh('docker compose config --services')).trim().split('\n');
      return sh(`docker compose logs --no-log-prefix ${services.filter((each) => each !== 'collector').join(' ')}`);
    },
  };
  for (const [place, read] of Object.entries(places))
    await report.row(`${files.values.size} secrets in ${place}`, 'none', async () => {
      const text = await read();
      const found = [...files.values].filter((value) => text.includes(value)).length;
      return {
        seen: `${found === 0 ? 'none' : found} in ${text.length} characters`,
        passed: found === 0 && text.length > 0,
      };
    });
}

/** The processes of all containers. */
async function pidsOf(ids: string, sh: Deployment['sh']) {
  const printed = await sh(`for id in ${ids}; do docker top $id -eo pid 2> /dev/null || true; done`);
  return printed.match(/\d+/g) ?? [];
}

/** Empty where the process has ended meanwhile. */
function readAll(file: string) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
