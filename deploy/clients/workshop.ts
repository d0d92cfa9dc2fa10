import fs from 'node:fs';
import path from 'node:path';
import { cacheFolder } from '../system/files/folders.ts';
import { ROOT } from '../system/paths.mjs';
import { nodeProgram } from '../system/processes/node-program.mjs';
import { runCommand } from '../system/processes/run-command.mjs';

const CACHE = path.join(cacheFolder(), 'clients');
const OPENAPI_GENERATOR = '7.17.0';
const ONLY_THE_CLIENT = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';

/** Where each package manager keeps what it has downloaded or compiled once. */
const CACHES = {
  GOPATH: path.join(CACHE, 'go'),
  GOCACHE: path.join(CACHE, 'go-build'),
  PIP_CACHE_DIR: path.join(CACHE, 'pip'),
  npm_config_cache: path.join(CACHE, 'npm'),
};

/** The Maven of this machine, with a repository in the cache. */
export const MAVEN = ['--batch-mode', '--quiet', `-Dmaven.repo.local=${path.join(CACHE, 'maven')}`];

/** A folder in which one client is generated and compiled, and the programs that do so. */
export interface Workshop {
  folder: string;
  /** The OpenAPI documents of the product, 3.1 and 3.0. */
  documents: { openapi: string; openapi30: string };
  /** Runs a program in the folder, or in one below it; returns what it wrote to its standard output. */
  run: (program: string, args: string[], below?: string) => Promise<string>;
  /** Copies the files of a story into the folder, or into one below it. */
  takeStory: (name: string, below?: string) => void;
  /** Runs openapi-generator on a document, into the folder `client`. */
  generate: (document: string, generator: string, properties: string, ...more: string[]) => Promise<void>;
}

/** @param root - has the documents, and gets a folder for the client. */
export function workshopOf(root: string, name: string): Workshop {
  fs.mkdirSync(CACHE, { recursive: true });
  const folder = path.join(root, name);
  fs.mkdirSync(folder);
  const documents = { openapi: path.join(root, 'openapi.json'), openapi30: path.join(root, 'openapi-3.0.json') };
  const run: Workshop['run'] = (program, args, below = '.') =>
    runCommand(program === 'node' ? nodeProgram() : program, args, {
      cwd: path.join(folder, below),
      shownLines: 30,
      env: { ...process.env, ...CACHES, NODE_OPTIONS: '' },
    });
  return {
    folder,
    documents,
    run,
    takeStory: (story, below = '.') =>
      fs.cpSync(path.join(ROOT, 'deploy/clients/stories', story), path.join(folder, below), { recursive: true }),
    async generate(document, generator, properties, ...more) {
      const jar = await openapiGenerator(run);
      const args = ['generate', '-i', document, '-g', generator, '-o', 'client', '-p', properties, ...more];
      args.push('--global-property', ONLY_THE_CLIENT);
      await run('java', ['-jar', jar, ...args]);
    },
  };
}

async function openapiGenerator(run: Workshop['run']): Promise<string> {
  const jar = path.join(CACHE, `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`);
  if (!fs.existsSync(jar)) {
    const artifact = `org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`;
    await run('mvn', [...MAVEN, 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${CACHE}`]);
  }
  return jar;
}
