import { type Deployment, SERVICES } from '../checks/deployment.ts';
import type { Report } from '../checks/report.ts';

const TITLE = 'org.opencontainers.image.title';
/** Run in the folder of the process, in its image. */
const LOOK = `
const fs = require('node:fs');
const folders = ['/bin', '/sbin', '/usr/bin', '/usr/sbin', '/usr/local/bin'].filter(fs.existsSync);
console.log(JSON.stringify({
  programs: [...new Set(folders.flatMap((each) => fs.readdirSync(each)))],
  packages: JSON.parse(fs.readFileSync('sbom.cdx.json', 'utf8')).components.length,
  licences: fs.statSync('LICENCES.txt').size,
  user: process.getuid(),
}));`;

interface Contents {
  programs: string[];
  packages: number;
  licences: number;
  user: number;
}

/** Looks into each image: it has Node and an init, and nothing else that runs. */
export async function checkImages({ docker }: Deployment, report: Report) {
  for (const process of [...SERVICES, 'gateway'])
    await report.row(`the image of ${process}`, 'no shell, no root, labels, its packages and licences', async () => {
      const image = `swim-lesson-scheduling-${process}`;
      const [{ Size, Config }] = JSON.parse(await docker('image', 'inspect', image));
      const found: Contents = JSON.parse(await docker('run', '--rm', '--network=none', image, 'node', '--eval', LOOK));
      const { programs, packages, licences, user } = found;
      const megabytes = Math.round(Size / 1e6);
      return {
        seen: `${programs.sort().join(', ')}; ${packages} packages; ${megabytes} MB; user ${user}`,
        passed:
          programs.join() === 'node,tini' && packages > 0 && licences > 0 && user > 0 && Config.Labels[TITLE] === image,
      };
    });
}
