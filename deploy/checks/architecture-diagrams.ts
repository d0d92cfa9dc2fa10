import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { EventType, Operation, ProcessName, ServiceName } from '@swim/contracts';
import { ROOT } from '../system/paths.mjs';

const FILE = path.join(ROOT, 'docs/architecture.md');
const BEGIN = '<!-- Written by `npm run generate`, from the contracts: begin. -->\n';
const END = '<!-- end -->\n';

/** What the contracts export, and the routes of the gateway. */
export interface Contracts {
  [name: string]: unknown;
  SERVICES: readonly ServiceName[];
  SUBSCRIPTIONS: Partial<Record<ServiceName, readonly (EventType | '*')[]>>;
  ROUTES: readonly { operation: Operation }[];
}

/** The contracts and the gateway have to be built. */
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

/** Every operation. */
export const operationsOf = (contracts: Contracts) => Object.values(contracts).filter(isOperation);

/** Every event. */
export const eventsOf = (contracts: Contracts) => Object.values(contracts).filter(isEvent);

const all = (names: readonly string[]) => names.join(' & ');
const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

/** The operations of one service that a process requests, by service. */
const requestsOf = (process: ProcessName, operations: Operation[], services: readonly ServiceName[]) =>
  services
    .map((service) => ({
      service,
      names: operations
        .filter((each) => each.service === service && each.callers.includes(process))
        .map(({ name }) => name)
        .sort(),
    }))
    .filter(({ names }) => names.length > 0);

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
    const services = requestsOf(process, operations, SERVICES).map(({ service }) => service);
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

function tables(contracts: Contracts) {
  const { SERVICES } = contracts;
  const [operations, events] = [operationsOf(contracts), eventsOf(contracts)];
  const routed = new Set(contracts.ROUTES.map(({ operation }) => operation.name));
  const unrouted = operations.filter(({ name }) => !routed.has(name));
  const requests = processesOf(contracts).flatMap((process) =>
    requestsOf(process, process === 'gateway' ? unrouted : operations, SERVICES).map(
      ({ service, names }) => `| \`${process}\` | \`${service}\` | ${code(names)} |`,
    ),
  );
  const published = SERVICES.map((service) => {
    const consumed = consumedBy(service, contracts);
    return `| \`${service}\` | ${code(typesOf(service, events))} | ${consumed.includes('every event') ? consumed : code(consumed)} |`;
  });
  return [
    'Who requests which operations, without those of the public routes (`gateway/src/routes.ts`):',
    '',
    '| from | to | operations |',
    '| --- | --- | --- |',
    ...requests,
    '',
    '| service | emits | consumes |',
    '| --- | --- | --- |',
    ...published,
  ];
}

/** A document with what stands between its marks written anew. */
export function withDiagrams(text: string, contracts: Contracts) {
  const [before = '', rest] = text.split(BEGIN);
  const after = rest?.split(END).slice(1).join(END);
  if (!after) throw new Error(`docs/architecture.md lacks the line ${BEGIN}or ${END}`);
  return [before, BEGIN, '\n', [...diagram(contracts), '', ...tables(contracts), ''].join('\n'), '\n', END, after].join(
    '',
  );
}

async function main(mode: string | undefined) {
  const text = fs.readFileSync(FILE, 'utf8');
  const due = withDiagrams(text, await builtContracts());
  if (mode === '--write') fs.writeFileSync(FILE, due);
  else if (text !== due) {
    console.error('docs/architecture.md differs from the contracts: run `npm run generate` and commit it.');
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv[2]);
