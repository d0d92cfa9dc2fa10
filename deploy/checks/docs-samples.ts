import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { givenNames, typeScriptOf } from '../../gateway/src/docs/code-samples.ts';
import type { OpenApiDocument } from '../../gateway/src/openapi/document.js';
import { bodiesOf } from '../../gateway/src/openapi/documented-operation.ts';
import type { Document } from '../../libs/sdk/generator/operations.ts';
import { readJson } from '../system/files/json-file.ts';
import { ROOT } from '../system/paths.mjs';
import { callsOf } from './docs-content.ts';

const FOLDER = path.join(ROOT, 'node_modules/.cache/docs-samples');
const FILE = path.join(FOLDER, 'samples.ts');
const OPTIONS = [
  '--ignoreConfig',
  '--strict',
  '--noEmit',
  '--pretty',
  '--module',
  'nodenext',
  '--target',
  'es2024',
  '--types',
  'node',
];

const document = readJson(path.join(ROOT, 'gateway/openapi.json')) as OpenApiDocument;
const calls = callsOf(document as unknown as Document);

/** The samples of the docs for the TypeScript client, each in a block of its own, and the names that they take as given. */
function samples(): { blocks: string[]; names: Set<string> } {
  const blocks: string[] = [];
  const names = new Set<string>();
  for (const [place, verbs] of Object.entries(document.paths))
    for (const [verb, operation] of Object.entries(verbs)) {
      const call = calls[operation.operationId];
      if (!call) continue;
      const bodies = bodiesOf(operation).map(([, body]) => body);
      for (const body of bodies.length > 0 ? bodies : [undefined]) {
        const code = typeScriptOf({ method: verb.toUpperCase(), path: place, operation, body }, call);
        blocks.push(`// ${operation.operationId}\n{\n${code}\n}`);
      }
      for (const name of givenNames(place)) names.add(name);
    }
  return { blocks, names };
}

const { blocks, names } = samples();
const given = ['client: Swim', ...[...names].map((name) => `${name}: string`)];
const declarations = given.map((each) => `declare const ${each};`);
const text = ["import type { Swim } from '@swim/sdk';", ...declarations, ...blocks].join('\n');
fs.mkdirSync(FOLDER, { recursive: true });
fs.writeFileSync(FILE, `${text}\n`);
const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
const { status } = spawnSync(process.execPath, [compiler, ...OPTIONS, '--skipLibCheck', FILE], { stdio: 'inherit' });
if (status !== 0) console.error(`Of ${blocks.length} samples in TypeScript some do not compile.`);
process.exitCode = status ?? 1;
