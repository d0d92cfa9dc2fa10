import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '../system/paths.mjs';
import type { Workshop } from './workshop.ts';

/** Tools from npm that check what is published; the cache keeps them. */
const PUBLINT = 'publint@0.3.25';
const ATTW = '@arethetypeswrong/cli@0.18.5';
const POSTMAN = 'openapi-to-postmanv2@6.3.3';

/** Packs the SDK as its README says, into the folder; returns the file, which the README names. */
export async function packSdk({ run, folder }: Workshop): Promise<string> {
  const readme = fs.readFileSync(path.join(ROOT, 'libs/sdk/README.md'), 'utf8');
  const [, printed] = /`npm (pack [^`]+)` makes/.exec(readme)!;
  await run('npm', [...printed!.split(' '), '--pack-destination', folder], path.relative(folder, ROOT));
  const [, file] = /`npm install (\S+)` installs/.exec(readme)!;
  return path.join(folder, file!);
}

/** Checks the packed SDK by publint and by attw on every kind of module resolution. Throws with what they find. */
export async function checkSdk(workshop: Workshop): Promise<string> {
  const file = await packSdk(workshop);
  await workshop.run('npx', ['--yes', PUBLINT, file, '--strict']);
  await workshop.run('npx', ['--yes', ATTW, file, '--format', 'table-flipped']);
  return 'publint and attw find nothing';
}

interface PostmanItem {
  name: string;
  item?: PostmanItem[];
  request?: { url: { host?: string[] }; body?: { mode?: string; raw?: string } };
}

const requestsIn = (items: readonly PostmanItem[]): PostmanItem[] =>
  items.flatMap((each) => (each.item ? requestsIn(each.item) : [each]));

/** Whether a body is JSON, without what Postman puts where a document has no example. */
const isComplete = (text: string): boolean => {
  try {
    JSON.parse(text);
    return !/"<\w+>"/.test(text);
  } catch {
    return false;
  }
};

/** Converts the document as Postman imports it. Throws where the base URL is not the product's, or a body is no JSON or lacks values. */
export async function checkPostman({ run, documents, folder }: Workshop, api: string): Promise<string> {
  const options = ['-O', 'parametersResolution=Example,optimizeConversion=false'];
  const args = ['--yes', `--package=${POSTMAN}`, 'openapi2postmanv2', '-s', documents.openapi, '-o', 'collection.json'];
  await run('npx', [...args, ...options]);
  const collection = JSON.parse(fs.readFileSync(path.join(folder, 'collection.json'), 'utf8')) as {
    item: PostmanItem[];
    variable: { key: string; value: string }[];
  };
  const baseUrl = collection.variable.find(({ key }) => key === 'baseUrl')?.value;
  if (baseUrl !== api) throw new Error(`Postman's collection has the base URL ${baseUrl} instead of ${api}.`);
  const requests = requestsIn(collection.item);
  const wrong = requests.filter(({ request }) => request?.body?.raw && !isComplete(request.body.raw));
  if (wrong.length > 0)
    throw new Error(`Postman's bodies are no JSON, or lack values: ${wrong.map(({ name }) => name).join(', ')}.`);
  const elsewhere = requests.filter(({ request }) => request?.url.host?.[0] !== '{{baseUrl}}');
  if (elsewhere.length > 0) throw new Error(`Postman's requests have no base URL: ${elsewhere[0]!.name}.`);
  return `${requests.length} requests with a base URL and valid bodies`;
}
