import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../system/paths.mjs';

const FILE = path.join(ROOT, 'docs/events.md');
const EXAMPLES = path.join(ROOT, 'docs/event-examples.json');

const HEAD = `# Events

<!-- Written by \`npm run generate\`, from the contracts and docs/event-examples.json. -->

Every change is an event: listed by \`GET /events\`, streamed by \`GET /events/stream\`, posted to webhook endpoints. \`type\` decides the
schema of \`data.object\`: the object as GET answers it, without names, notes and contacts, and without the \`metadata\` of members, sessions
and bookings, which may describe a member. \`object\` names its kind, as in every answer.
\`previous_attributes\` has the former values of what an update changed. Each account that may see the object has an event of its own, with an
\`id\` and a \`sequence\` of its own; \`sequence\` has no gaps. Events are kept for 90 days. Their schemas are in the OpenAPI document, under
\`webhooks\`. New types, and new fields, may be added: ignore those that you do not know.
`;

type Examples = Record<string, { data: { object: { object: string } } }>;
type Catalogue = Readonly<Record<string, { summary: string }>>;

/** One example of an event for each type. */
export const readExamples = (): Examples => JSON.parse(fs.readFileSync(EXAMPLES, 'utf8')) as Examples;

const anchorOf = (type: string): string => type.replaceAll('.', '');

/** The document of all types of event, each with an example. */
export function eventDocument(catalogue: Catalogue, examples: Examples): string {
  const types = Object.entries(catalogue);
  const rows = types.map(([type, { summary }]) => {
    return `| [\`${type}\`](#${anchorOf(type)}) | \`${examples[type]?.data.object.object}\` | ${summary} |`;
  });
  const sections = types.flatMap(([type, { summary }]) => [
    `## ${type}`,
    '',
    summary,
    '',
    '```json',
    JSON.stringify(examples[type], null, 2),
    '```',
    '',
  ]);
  return [HEAD, '| type | object | when |', '| --- | --- | --- |', ...rows, '', ...sections].join('\n');
}

async function main(mode: string | undefined): Promise<void> {
  const { EVENT_CATALOGUE } = await import('@swim/contracts');
  const due = eventDocument(EVENT_CATALOGUE, readExamples());
  if (mode === '--write') fs.writeFileSync(FILE, due);
  else if (!fs.existsSync(FILE) || fs.readFileSync(FILE, 'utf8') !== due) {
    console.error('docs/events.md differs from the contracts: run `npm run generate` and commit it.');
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv[2]);
