import path from 'node:path';
import { ROOT } from '../system/paths.mjs';
import { packSdk } from './packages.ts';
import { MAVEN, type Workshop } from './workshop.ts';

/** A client of the API in one language. */
export interface Language {
  name: string;
  /** What makes the client, with its options, as the guide for other languages has them. */
  by: string;
  /** Programs of the machine without which it cannot be had. */
  needs: readonly string[];
  compile: (workshop: Workshop) => Promise<unknown>;
  /** Runs the story; returns what it printed. Absent where there is none. */
  story?: (workshop: Workshop) => Promise<string>;
}

const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');
const STRICT = ['--ignoreConfig', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom'];
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.5.1';

const JAVA = 'library=native,containerDefaultToNull=true,useOneOfDiscriminatorLookup=true';
const PYTHON = 'packageName=swim';
const GO = 'packageName=swim,enumClassPrefix=true,useOneOfDiscriminatorLookup=true';
const TYPESCRIPT = 'importFileExtension=.js';
const CSHARP = 'packageName=Swim,library=httpclient';

const java: Language = {
  name: 'Java',
  by: `java -p ${JAVA}`,
  needs: ['java', 'mvn'],
  async compile({ generate, run, takeStory, documents }) {
    await generate(documents.openapi, 'java', JAVA);
    await run(
      'mvn',
      [...MAVEN, 'package', '-Dmaven.test.skip', '-Dmaven.javadoc.skip', '-Dmaven.source.skip'],
      'client',
    );
    takeStory('java');
    await run('javac', ['-cp', 'client/target/*:client/target/lib/*', '-d', 'classes', 'Story.java']);
  },
  story: ({ run }) => run('java', ['-cp', 'classes:client/target/*:client/target/lib/*', 'Story']),
};

const python: Language = {
  name: 'Python',
  by: `python -p ${PYTHON}`,
  needs: ['java', 'mvn', 'python3'],
  async compile({ generate, run, takeStory, documents }) {
    // It writes no valid Python for the webhooks of the document, which that in 3.0 does not have.
    await generate(documents.openapi30, 'python', PYTHON);
    await run('python3', ['-m', 'venv', 'environment']);
    await run('environment/bin/pip', ['install', '--quiet', '--disable-pip-version-check', './client']);
    await run('environment/bin/python', ['-m', 'compileall', '-q', 'client/swim']);
    takeStory('python');
  },
  story: ({ run }) => run('environment/bin/python', ['story.py']),
};

const TYPES = ['--types', 'node', '--typeRoots', path.join(ROOT, 'node_modules/@types')];

/** Compiles a story in TypeScript, whose folder has a package.json, as every strict project would. */
const compileTypeScript = ({ run }: Workshop) =>
  run('node', [TSC, ...STRICT, ...TYPES, '--outDir', 'compiled', 'story.ts']);

/** Compiles a story in Go as a module beside the module that contains the client. */
async function compileGo({ run, takeStory }: Workshop, story: string) {
  takeStory(story, 'story');
  await run('go', ['mod', 'init', 'example.com/story'], 'story');
  await run('go', ['mod', 'edit', '-require=example.com/swim@v0.0.0', '-replace=example.com/swim=../client'], 'story');
  await run('go', ['mod', 'tidy'], 'client');
  await run('go', ['mod', 'tidy'], 'story');
  await run('go', ['vet', './...'], 'client');
  await run('go', ['build', '-o', '../program', '.'], 'story');
}

const go: Language = {
  name: 'Go',
  by: `go -p ${GO}`,
  needs: ['java', 'mvn', 'go'],
  async compile(workshop) {
    await workshop.generate(workshop.documents.openapi, 'go', GO, '--git-user-id=swim', '--git-repo-id=swim');
    await workshop.run('go', ['mod', 'edit', '-module=example.com/swim'], 'client');
    await compileGo(workshop, 'go');
  },
  story: ({ run }) => run('./program', []),
};

const oapiCodegen: Language = {
  name: 'Go, oapi-codegen',
  by: 'oapi-codegen -generate types,client -package swim',
  needs: ['go'],
  async compile(workshop) {
    const { run, documents } = workshop;
    await run('mkdir', ['client']);
    await run('go', ['mod', 'init', 'example.com/swim'], 'client');
    const generate = ['-generate', 'types,client', '-package', 'swim', '-o', 'swim.go', documents.openapi30];
    await run('go', ['run', OAPI_CODEGEN, ...generate], 'client');
    await compileGo(workshop, 'oapi-codegen');
  },
  story: ({ run }) => run('./program', []),
};

const typescriptFetch: Language = {
  name: 'TypeScript, fetch',
  by: `typescript-fetch -p ${TYPESCRIPT}`,
  needs: ['java', 'mvn'],
  async compile(workshop) {
    await workshop.generate(workshop.documents.openapi, 'typescript-fetch', TYPESCRIPT);
    workshop.takeStory('typescript-fetch');
    await compileTypeScript(workshop);
  },
  story: ({ run }) => run('node', ['compiled/story.js']),
};

const sdk: Language = {
  name: 'TypeScript, @swim/sdk',
  by: 'npm pack --workspace libs/sdk',
  needs: [],
  async compile(workshop) {
    const { run, takeStory } = workshop;
    takeStory('sdk');
    await run('npm', ['install', '--no-audit', '--no-fund', await packSdk(workshop)]);
    await compileTypeScript(workshop);
  },
  story: ({ run }) => run('node', ['compiled/story.js']),
};

const csharp: Language = {
  name: 'C#',
  by: `csharp -p ${CSHARP}`,
  needs: ['java', 'mvn', 'dotnet'],
  async compile({ generate, run, documents }) {
    await generate(documents.openapi, 'csharp', CSHARP);
    await run('dotnet', ['build', '--nologo'], 'client');
  },
};

export const LANGUAGES: readonly Language[] = [sdk, typescriptFetch, python, java, go, oapiCodegen, csharp];
