import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/**
 * Writes what the image of a process is made of: OUT/sbom.cdx.json, a bill of materials by CycloneDX, and OUT/LICENCES.txt, the licences of
 * the packages with their texts. Run in the root of the clone: `node deploy/describe-packages.ts SERVICE OUT`.
 */
interface Component {
  name: string;
  version: string;
  purl: string;
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
  properties?: { name: string; value: string }[];
}

const [service, out = ''] = process.argv.slice(2);
const PLACE = 'cdx:npm:package:path';
const TEXT = /^(licen[cs]e|copying|notice)/i;

const words = ['sbom', '--omit=dev', `--workspace=@swim/${service}`, '--package-lock-only', '--sbom-format=cyclonedx'];
// The same packages make the same image: the instant and the number of this run stay out of it.
const { serialNumber: _, metadata, ...bill } = JSON.parse(execFileSync('npm', words, { encoding: 'utf8' }));
const { timestamp: __, ...rest } = metadata;
const components: Component[] = bill.components;

fs.mkdirSync(out, { recursive: true });
const named = { ...rest, component: { ...rest.component, name: `swim-lesson-scheduling-${service}` } };
fs.writeFileSync(path.join(out, 'sbom.cdx.json'), `${JSON.stringify({ ...bill, metadata: named }, null, 1)}\n`);
const others = components.filter(({ purl }) => !purl.startsWith('pkg:npm/%40swim/'));
fs.writeFileSync(path.join(out, 'LICENCES.txt'), others.map(describe).join(`\n${'-'.repeat(80)}\n`));

function describe({ name, version, purl, licenses = [], properties = [] }: Component) {
  const terms = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name).join(', ');
  const own = decodeURIComponent(purl.replace(/^pkg:npm\/|@[^@]*$/g, ''));
  const folder = properties.find((each) => each.name === PLACE)?.value ?? path.join('node_modules', own);
  const files = fs.existsSync(folder) ? fs.readdirSync(folder, { withFileTypes: true }) : [];
  const texts = files.filter((each) => each.isFile() && TEXT.test(each.name));
  const lines = texts.map((each) => fs.readFileSync(path.join(folder, each.name), 'utf8').trim());
  return [`${own || name} ${version}: ${terms || 'no licence named'}`, ...lines].join('\n\n');
}
