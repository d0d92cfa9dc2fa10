import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ROOT } from '../system/paths.mjs';

const FILE = path.join(ROOT, 'docs/architecture.md');
const BEGIN = '<!-- Written by `npm run generate`, from the contracts: begin. -->\n';
const END = '<!-- end -->\n';

const built = (file) => import(pathToFileURL(path.join(ROOT, file)).href);

/** @returns {Promise<Record<string, any>>} what the contracts export, and the gateway's `ROUTES`; both have to be built. */
export const builtContracts = async () => ({
  ...(await built('libs/contracts/dist/index.js')),
  ROUTES: (await built('gateway/dist/routes.js')).ROUTES,
});

/** @returns {{name: string, service: string, callers: string[]}[]} every operation. */
export const operationsOf = (contracts) =>
  Object.values(contracts).filter((value) => value?.subject?.startsWith?.('rpc.') && value.callers);

/** @returns {{type: string, service: string}[]} every event. */
export const eventsOf = (contracts) =>
  Object.values(contracts).filter((value) => typeof value?.type === 'string' && value.service && value.object);

const all = (names) => names.join(' & ');
const code = (names) => names.map((name) => `\`${name}\``).join(', ');

/** The operations of one service that a process requests, by service. */
const requestsOf = (process, operations, services) =>
  services
    .map((service) => ({
      service,
      names: operations
        .filter((each) => each.service === service && each.callers.includes(process))
        .map(({ name }) => name)
        .sort(),
    }))
    .filter(({ names }) => names.length > 0);

const typesOf = (service, events) =>
  events
    .filter((each) => each.service === service)
    .map(({ type }) => type)
    .sort();

const consumedBy = (service, { SUBSCRIPTIONS }) =>
  (SUBSCRIPTIONS[service] ?? []).map((each) => each.type ?? 'every event');

function diagram(contracts) {
  const { SERVICES } = contracts;
  const [operations, events] = [operationsOf(contracts), eventsOf(contracts)];
  const requests = ['gateway', ...SERVICES].flatMap((process) => {
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

function tables(contracts) {
  const { SERVICES } = contracts;
  const [operations, events] = [operationsOf(contracts), eventsOf(contracts)];
  const routed = new Set(contracts.ROUTES.map(({ operation }) => operation.name));
  const unrouted = operations.filter(({ name }) => !routed.has(name));
  const requests = ['gateway', ...SERVICES].flatMap((process) =>
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

/**
 * A document with what stands between its marks written anew.
 * @param {string} text
 * @param {Record<string, any>} contracts
 */
export function withDiagrams(text, contracts) {
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END).slice(1).join(END);
  if (!after) throw new Error(`docs/architecture.md lacks the line ${BEGIN}or ${END}`);
  return [before, BEGIN, '\n', [...diagram(contracts), '', ...tables(contracts), ''].join('\n'), '\n', END, after].join(
    '',
  );
}

async function main(mode) {
  const text = fs.readFileSync(FILE, 'utf8');
  const due = withDiagrams(text, await builtContracts());
  if (mode === '--write') fs.writeFileSync(FILE, due);
  else if (text !== due) {
    console.error('docs/architecture.md differs from the contracts: run `npm run generate` and commit it.');
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv[2]);
