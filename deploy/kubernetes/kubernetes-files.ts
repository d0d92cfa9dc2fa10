import fs from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

const FOLDER = import.meta.dirname;

interface Made {
  name: string;
  literals?: string[];
  files?: string[];
}

interface Kustomization {
  resources?: string[];
  components?: string[];
  configMapGenerator?: Made[];
  secretGenerator?: Made[];
  images?: { newName: string }[];
  labels?: { pairs: Record<string, string> }[];
  patches?: { patch: string }[];
}

const readYaml = (file: string) => parse(fs.readFileSync(path.join(FOLDER, file), 'utf8'));

/** The objects of a file. */
export const objectsOf = (file: string) =>
  parseAllDocuments(fs.readFileSync(path.join(FOLDER, file), 'utf8')).map((each) => each.toJS());

export const kustomizationOf = (folder: string) => readYaml(path.join(folder, 'kustomization.yaml')) as Kustomization;

/** What a process is in Kubernetes, in the words of the compose file. */
export interface KubernetesProcess {
  image: string;
  args: string[] | undefined;
  environment: Record<string, string>;
  networks: string[];
  secretName: string;
}

/** Reads a process with its template and parts, as kustomize merges them. */
export function readProcess(name: string): KubernetesProcess {
  const folder = `base/${name}`;
  const own = kustomizationOf(folder);
  const all = [...chainOf(folder)].map(kustomizationOf);
  const literals = all.flatMap((each) => each.configMapGenerator ?? []).flatMap((each) => each.literals ?? []);
  const labels = all.flatMap((each) => each.labels ?? []).flatMap(({ pairs }) => Object.keys(pairs));
  const operations = (own.patches ?? []).flatMap(({ patch }) => parse(patch)) as { path: string; value: unknown }[];
  const patched = (end: string) => operations.find((each) => each.path.endsWith(end))?.value;
  return {
    image: own.images![0]!.newName,
    args: patched('/args') as string[] | undefined,
    environment: Object.fromEntries(literals.map((each) => each.split(/=(.*)/s).slice(0, 2) as [string, string])),
    networks: labels.flatMap((each) => /^network-(\w+)$/.exec(each)?.[1] ?? []).sort(),
    secretName: patched('/secretName') as string,
  };
}

/** A folder, and those that it takes resources and components from: the template first. */
function* chainOf(folder: string): Generator<string> {
  const { resources = [], components = [] } = kustomizationOf(folder);
  for (const each of [...resources, ...components])
    if (!each.endsWith('.yaml')) yield* chainOf(path.join(folder, each));
  yield folder;
}

/** The files of each Secret, in the folder that make-secrets.sh lays out for it. */
export const secretsOf = (name: string): { folder: string; files: string[] } => {
  const { files = [] } = kustomizationOf('secrets').secretGenerator!.find((each) => each.name === name)!;
  const [folder] = new Set(files.map((each) => path.basename(path.dirname(each))));
  return { folder: folder!, files: files.map((each) => path.basename(each)) };
};
