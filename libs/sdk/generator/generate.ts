import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { type Document, methodsOf } from './operations.ts';
import { withSentTypes } from './sent-types.ts';
import { modelsText, resourcesText, schemaText } from './source-text.ts';

const DOCUMENT = new URL('../../../gateway/openapi.json', import.meta.url);
const GENERATED = new URL('../src/generated/', import.meta.url);

/** The document without its examples, which would be comments of the types as long as the types. */
const read = (): Document =>
  JSON.parse(readFileSync(DOCUMENT, 'utf8'), (name, value) => (name === 'example' ? undefined : value)) as Document;

/** The document without what the client has no types of: errors of single operations, headers, and what options send. */
function reduced(): Document {
  const document = withSentTypes(read());
  for (const operation of Object.values(document.paths).flatMap((verbs) => Object.values(verbs))) {
    const { parameters = [], responses } = operation;
    operation.parameters = parameters.filter((parameter) => parameter.$ref === undefined);
    operation.responses = Object.fromEntries(
      Object.entries(responses)
        .filter(([status]) => status.startsWith('2'))
        .map(([status, { content }]) => [status, { description: '', ...(content ? { content } : {}) }]),
    );
  }
  return document;
}

/** The sources that follow from the OpenAPI document, by their file names. */
async function sources(): Promise<Record<string, string>> {
  const document = reduced();
  const types = await openapiTS(document as unknown as Parameters<typeof openapiTS>[0], {
    defaultNonNullable: false,
    silent: true,
  });
  return {
    'schema.ts': schemaText(astToString(types)),
    'models.ts': modelsText(document),
    'resources.ts': resourcesText(methodsOf(document)),
  };
}

function written(name: string): string {
  try {
    return readFileSync(new URL(name, GENERATED), 'utf8');
  } catch {
    return '';
  }
}

const [mode] = process.argv.slice(2);
const made = await sources();
if (mode === '--write') {
  mkdirSync(GENERATED, { recursive: true });
  for (const [name, text] of Object.entries(made)) writeFileSync(new URL(name, GENERATED), text);
} else if (mode === '--check') {
  const stale = Object.keys(made).filter((name) => written(name) !== made[name]);
  for (const name of stale)
    process.stderr.write(
      `${fileURLToPath(new URL(name, GENERATED))} differs from gateway/openapi.json: run \`npm run generate\`.\n`,
    );
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  process.stderr.write('Pass --write or --check.\n');
  process.exitCode = 2;
}
