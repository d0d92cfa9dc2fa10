import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { EventType, Operation, ProcessName, ServiceName } from '@swim/contracts';
import { ROOT } from '../system/paths.mjs';

const BEGIN = '<!-- Written by `npm run generate`, from the contracts: begin. -->\n';
const END = '<!-- end -->\n';

export interface Contracts {
  [name: string]: unknown;
  SERVICES: readonly ServiceName[];
  SUBSCRIPTIONS: Partial<Record<ServiceName, readonly (EventType | '*')[]>>;
  ROUTES: readonly { operation: Operation }[];
}

/** The contracts and the gateway must be built. */
export const builtContracts = async (): Promise<Contracts> => ({
  ...(await import('@swim/contracts')),
  ...((await import(pathToFileURL(path.join(ROOT, 'gateway/dist/routes.js')).href)) as Pick<Contracts, 'ROUTES'>),
});

const processesOf = ({ SERVICES }: Contracts): ProcessName[] => ['gateway', ...SERVICES];

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
export const isOperation = (value: unknown): value is Operation =>
  isObject(value) && 'subject' in value && 'callers' in value && String(value.subject).startsWith('rpc.');
const isEvent = (value: unknown): value is EventType =>
  isObject(value) && 'type' in value && 'service' in value && 'object' in value && typeof value.type === 'string';

export const operationsOf = (contracts: Contracts) => Object.values(contracts).filter(isOperation);

export const eventsOf = (contracts: Contracts) => Object.values(contracts).filter(isEvent);

const all = (names: readonly string[]) => names.join(' & ');
const listed = (names: readonly string[]) => names.join(', ');

/** Returns the names of the operations that a process requests of a service. */
const requestsOf = (process: ProcessName, service: ServiceName, operations: Operation[]) =>
  operations
    .filter((each) => each.service === service && each.callers.includes(process))
    .map(({ name }) => name.slice(service.length + 1))
    .sort();

const typesOf = (service: ServiceName, events: EventType[]) =>
  events
    .filter((each) => each.service === service)
    .map(({ type }) => type)
    .sort();

const consumedBy = (service: ServiceName, { SUBSCRIPTIONS }: Contracts) =>
  (SUBSCRIPTIONS[service] ?? []).map((each) => (each === '*' ? 'every event' : each.type));

function diagram(contracts: Contracts) {
  const { SERVICES } = contracts;
  const [operations, events] = [operationsOf(contracts), eventsOf(contracts)];
  const requests = processesOf(contracts).flatMap((process) => {
    const services = SERVICES.filter((service) => requestsOf(process, service, operations).length > 0);
    return services.length > 0 ? [`    ${process} -->|requests| ${all(services)}`] : [];
  });
  const emitting = SERVICES.filter((service) => typesOf(service, events).length > 0);
  const consuming = SERVICES.filter((service) => consumedBy(service, contracts).length > 0);
  return [
    '```mermaid',
    'flowchart LR',
    '  client([client]) -->|HTTP, JSON| gateway',
    '  subgraph product',
    ...requests,
    `    ${all(emitting)} -.->|events| stream[(JetStream)]`,
    ...consuming.map((service) => `    stream -.->|${consumedBy(service, contracts).join('<br>')}| ${service}`),
    '  end',
    `  ${all(SERVICES)} --- database[(MongoDB)]`,
    '```',
  ];
}

/** Lists what a service serves, emits and consumes. */
function interfaceOf(service: ServiceName, contracts: Contracts) {
  const operations = operationsOf(contracts);
  const routed = new Set(contracts.ROUTES.map(({ operation }) => operation.name));
  const open = operations.filter(({ name }) => routed.has(name));
  const others = operations.filter((each) => !open.includes(each));
  const row = (words: string, process: ProcessName, of: ServiceName, among: Operation[]) => {
    const names = requestsOf(process, of, among);
    return names.length > 0 ? [`| ${words} | ${listed(names)} |`] : [];
  };
  const [emitted, consumed] = [typesOf(service, eventsOf(contracts)), consumedBy(service, contracts)];
  return [
    '| interface | operations and events |',
    '|---|---|',
    ...row('serves clients, by the routes in `gateway/src/routes.ts`', 'gateway', service, open),
    ...row('serves `gateway`', 'gateway', service, others),
    ...contracts.SERVICES.flatMap((each) => row(`serves \`${each}\``, each, service, operations)),
    `| emits | ${listed(emitted)} |`,
    ...(consumed.length > 0
      ? [`| consumes | ${consumed[0] === 'every event' ? consumed[0] : listed(consumed)} |`]
      : []),
  ];
}

/** Each document with a generated part, and the lines of that part. */
const documentsOf = (contracts: Contracts): [file: string, lines: string[]][] => [
  ['docs/architecture.md', diagram(contracts)],
  ...contracts.SERVICES.map((service): [string, string[]] => [
    `services/${service}/README.md`,
    interfaceOf(service, contracts),
  ]),
];

/** Replaces the lines between the marks of a document. */
function withLines(file: string, lines: string[]) {
  const text = fs.readFileSync(path.join(ROOT, file), 'utf8');
  const [before = '', rest] = text.split(BEGIN);
  const after = rest?.split(END).slice(1).join(END);
  if (after === undefined) throw new Error(`${file} lacks the line ${BEGIN}or ${END}`);
  return [before, BEGIN, '\n', ...lines.map((line) => `${line}\n`), '\n', END, after].join('');
}

export const generatedDocuments = (contracts: Contracts) =>
  documentsOf(contracts).map(([file, lines]) => ({ file, text: withLines(file, lines) }));

async function main(mode: string | undefined) {
  for (const { file, text } of generatedDocuments(await builtContracts())) {
    if (mode === '--write') fs.writeFileSync(path.join(ROOT, file), text);
    else if (fs.readFileSync(path.join(ROOT, file), 'utf8') !== text) {
      console.error(`${file} differs from the contracts: run \`npm run generate\` and commit it.`);
      process.exitCode = 1;
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv[2]);
