import fs from 'node:fs';
import type { Deployment } from '../deployment.ts';
import type { Report } from '../report.ts';
import type { SecretFiles } from './settings.ts';

const EVERY_MS = 100;

/** Remembers the environment and the arguments of every process that runs meanwhile, also of those that soon end. */
export class ProcessWatch {
  readonly #texts = new Set<string>();
  readonly #timer = setInterval(() => this.#look(), EVERY_MS);

  /** Ends it; what it has seen stays. */
  end() {
    clearInterval(this.#timer);
  }

  get text(): string {
    return [...this.#texts].join('\n');
  }

  #look() {
    for (const pid of fs.readdirSync('/proc').filter((each) => /^\d+$/.test(each)))
      for (const each of ['environ', 'cmdline']) this.#texts.add(readAll(`/proc/${pid}/${each}`));
  }
}

/** Looks for every secret that there ever was where others than the processes can read. */
export async function findExposed({ sh }: Deployment, report: Report, files: SecretFiles, watch: ProcessWatch) {
  const ids = (await sh('docker ps --all --quiet')).trim().split('\n').join(' ');
  await look(report, files, '`docker inspect` of containers and images', () =>
    sh(
      `docker inspect ${ids}; docker inspect $(docker images --quiet | sort -u); docker history --no-trunc swim-lesson-scheduling-people`,
    ),
  );
  await checkProcesses(report, files, watch);
  await look(report, files, 'logs of all processes of the product', async () => {
    const services = (await sh('docker compose config --services')).trim().split('\n');
    return sh(`docker compose logs --no-log-prefix ${services.filter((each) => each !== 'collector').join(' ')}`);
  });
}

/** Looks for secrets in what a watch has seen. */
export const checkProcesses = (report: Report, files: SecretFiles, watch: ProcessWatch) =>
  look(report, files, 'environments and arguments of all processes meanwhile', async () => watch.text);

const look = (report: Report, { values }: SecretFiles, place: string, read: () => Promise<string>) =>
  report.row(`${values.size} secrets in ${place}`, 'none', async () => {
    const text = await read();
    const found = [...values].filter((value) => text.includes(value)).length;
    return {
      seen: `${found === 0 ? 'none' : found} in ${text.length} characters`,
      passed: found === 0 && text.length > 0,
    };
  });

/** Empty where the process has ended meanwhile. */
function readAll(file: string) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
