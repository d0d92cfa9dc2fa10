import fs from 'node:fs';
import path from 'node:path';
import { findOnPath } from '../system/files/find-on-path.mjs';
import { LOCAL } from '../system/paths.mjs';
import { followPythonGuide } from './guides.ts';
import { LANGUAGES, type Language } from './languages.ts';
import { checkPostman, checkSdk } from './packages.ts';
import { type Product, startProduct } from './product.ts';
import { type Outcome, STEPS, stepsIn, tableOf } from './steps.ts';
import { type Workshop, workshopOf } from './workshop.ts';

/**
 * `npm run clients`: makes a client in each language from the document of a running product, compiles it, and runs with it one story,
 * which the folder `stories` tells in each language. `npm run clients -- java go` takes those whose name begins so.
 */
const ROOT_FOLDER = path.join(LOCAL, 'clients');

const seconds = (since: number): string => `${Math.round((Date.now() - since) / 1000)} s`;
const log = (line: string) => console.log(line);
const errors: string[] = [];

/** Runs work; returns what it answers, or null with its error, printed, in `errors`. */
async function tried<T>(name: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    errors.push(`${name}: ${(error as Error).message}`);
    console.error(errors.at(-1));
    return null;
  }
}

/** Generates and compiles a client, and runs its story. */
async function outcomeOf({ name, by, needs, compile, story }: Language, workshop: Workshop): Promise<Outcome> {
  const client = `${name} (${by})`;
  const missing = needs.filter((program) => findOnPath(program) === null);
  if (missing.length > 0) {
    const why = `not available here: no ${missing.join(', ')} on PATH`;
    return { client, compiled: why, story: '', isGood: true };
  }
  const since = Date.now();
  log(`${name}: compiling …`);
  const isCompiled = await tried(name, async () => {
    await compile(workshop);
    return true;
  });
  if (!isCompiled) return { client, compiled: 'no', story: '', isGood: false };
  const compiled = `yes, ${seconds(since)}`;
  if (!story) return { client, compiled, story: 'none', isGood: true };
  const done = stepsIn((await tried(name, () => story(workshop))) ?? errors.at(-1)!);
  return { client, compiled, story: `${done}/${STEPS.length}`, isGood: done === STEPS.length };
}

/** Runs a check that has no story. */
async function checked(client: string, check: () => Promise<string>): Promise<Outcome> {
  log(`${client}: checking …`);
  const found = await tried(client, check);
  return { client, compiled: found ?? 'no', story: '', isGood: found !== null };
}

async function fetchDocuments({ api }: Product): Promise<void> {
  for (const name of ['openapi.json', 'openapi-3.0.json']) {
    const answer = await fetch(`${api}/${name}`);
    if (!answer.ok) throw new Error(`${api}/${name} answered ${answer.status}.`);
    fs.writeFileSync(path.join(ROOT_FOLDER, name), await answer.text());
  }
}

async function run(chosen: readonly string[]): Promise<Outcome[]> {
  fs.rmSync(ROOT_FOLDER, { recursive: true, force: true });
  fs.mkdirSync(ROOT_FOLDER, { recursive: true });
  const isChosen = (name: string) => chosen.length === 0 || chosen.some((word) => name.toLowerCase().startsWith(word));
  log('starting the product …');
  const product = await startProduct(path.join(ROOT_FOLDER, 'product.log'));
  try {
    await fetchDocuments(product);
    Object.assign(process.env, { API: product.api, KEY: product.key, ACCOUNT: product.account });
    const outcomes: Outcome[] = [];
    const add = (outcome: Outcome) => {
      log(tableOf([outcome]).split('\n')[1]!);
      outcomes.push(outcome);
    };
    for (const [index, language] of LANGUAGES.entries())
      if (isChosen(language.name)) add(await outcomeOf(language, workshopOf(ROOT_FOLDER, `client-${index}`)));
    if (isChosen('package'))
      add(await checked('Package of the SDK', () => checkSdk(workshopOf(ROOT_FOLDER, 'package'))));
    if (isChosen('guide of python'))
      add(await checked('Guide of Python', () => followPythonGuide(workshopOf(ROOT_FOLDER, 'guide'))));
    if (isChosen('postman'))
      add(await checked('Postman', () => checkPostman(workshopOf(ROOT_FOLDER, 'postman'), product.api)));
    return outcomes;
  } finally {
    await product.stop();
  }
}

const since = Date.now();
const outcomes = await run(process.argv.slice(2).map((word) => word.toLowerCase()));
log(`\n${tableOf(outcomes)}\n\nin ${seconds(since)}; what was generated is in ${ROOT_FOLDER}`);
process.exit(outcomes.length > 0 && outcomes.every(({ isGood }) => isGood) ? 0 : 1);
