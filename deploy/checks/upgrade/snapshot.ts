import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { EventType, Operation } from '@swim/contracts';
import { z } from 'zod';
import { eventsOf, operationsOf } from '../architecture-diagrams.ts';
import type { JsonSchema } from './schema.rules.ts';

/** What processes of one version expect of those of another. */
export interface Snapshot {
  operations: Record<string, { kind: string; callers: readonly string[]; input: JsonSchema; output: JsonSchema }>;
  events: Record<string, { service: string; object: JsonSchema }>;
  /** The types of events that each service consumes; `*` is every one. */
  subscriptions: Record<string, string[]>;
  /** The properties of streams and consumers that must not change. */
  streams: Record<string, Record<string, unknown>>;
  consumers: Record<string, Record<string, unknown>>;
  collections: Record<string, Collection>;
}

export interface Collection {
  fields: Record<string, { type: string; isRequired: boolean; hasDefault: boolean; values: string[] | null }>;
  /** The unique indexes, with their conditions, by their keys. */
  unique: Record<string, string>;
}

/** The parts of a schema of mongoose that are read. */
interface Schema {
  eachPath(
    read: (name: string, path: { instance: string; isRequired?: boolean; options: Record<string, unknown> }) => void,
  ): void;
  indexes(): [keys: object, options: { unique?: boolean }][];
}

const COLLECTION = /\.(?:c|keyC|userC)ollection(?:<[^(]*>)?\(\s*'([a-z_]+)',\s*(\w+)\)/g;

const load = (root: string, file: string) => import(pathToFileURL(path.join(root, file)).href);

async function contractsOf(root: string): Promise<Pick<Snapshot, 'operations' | 'events' | 'subscriptions'>> {
  const contracts = await load(root, 'libs/contracts/dist/index.js');
  const schemaOf = (schema: z.ZodType, io: 'input' | 'output') =>
    z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;
  const operations = operationsOf(contracts).map(({ name, kind, callers, input, output }: Operation) => {
    const schemas = { input: schemaOf(input, 'input'), output: schemaOf(output, 'output') };
    return [name, { kind, callers, ...schemas }] as const;
  });
  const events = eventsOf(contracts).map(({ type, service, object }: EventType) => {
    return [type, { service, object: schemaOf(object, 'output') }] as const;
  });
  const subscriptions = Object.entries(contracts.SUBSCRIPTIONS as Record<string, (EventType | '*')[]>);
  return {
    operations: Object.fromEntries(operations),
    events: Object.fromEntries(events),
    subscriptions: Object.fromEntries(
      subscriptions.map(([service, types]) => [service, types.map((type) => (type === '*' ? type : type.type))]),
    ),
  };
}

async function busOf(root: string): Promise<Pick<Snapshot, 'streams' | 'consumers'>> {
  const { SUBSCRIPTIONS } = await load(root, 'libs/contracts/dist/index.js');
  const { STREAMS, KEY_CONSUMERS, consumersOf } = await load(root, 'libs/messaging/dist/streams/streams.js');
  const consumers = [...KEY_CONSUMERS, ...consumersOf(SUBSCRIPTIONS)] as {
    stream: string;
    name: string;
    config: Record<string, unknown>;
  }[];
  const streams = STREAMS as Record<string, unknown>[];
  return {
    streams: Object.fromEntries(
      streams.map(({ name, subjects, retention, storage }) => [name, { subjects, retention, storage }]),
    ),
    consumers: Object.fromEntries(
      consumers.map(({ stream, name, config: { ack_policy, deliver_subject } }) => [
        `${stream}/${name}`,
        { ack_policy, deliver_subject },
      ]),
    ),
  };
}

const filesBelow = (folder: string, suffix: string) =>
  fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(suffix));

function collectionOf(schema: Schema): Collection {
  const fields: Collection['fields'] = {};
  schema.eachPath((name, { instance, options, isRequired }) => {
    const values = (options.enum as string[] | undefined) ?? null;
    const hasDefault = options.default !== undefined;
    fields[name] = { type: instance, isRequired: isRequired === true, hasDefault, values: values && [...values] };
  });
  const unique = schema.indexes().filter(([, options]) => options.unique);
  const named = unique.map(([keys, options]) => [JSON.stringify(keys), JSON.stringify(options)]);
  return { fields, unique: Object.fromEntries(named) };
}

/** The collections of a service, by the names of both, without those whose schema stands in a repository: they hold one field or two. */
async function collectionsOf(root: string, name: string): Promise<[string, Collection][]> {
  const [source, compiled] = ['src', 'dist'].map((folder) => path.join(root, name, folder)) as [string, string];
  const texts = filesBelow(source, '.ts').map((file) => fs.readFileSync(path.join(source, file), 'utf8'));
  const registered = texts.flatMap((text) =>
    [...text.matchAll(COLLECTION)].map(([, each, schema]) => [each!, schema!]),
  );
  const modules = await Promise.all(filesBelow(compiled, '.schema.js').map((file) => load(compiled, file)));
  const schemas: Record<string, Schema | undefined> = Object.assign({}, ...modules);
  return registered.flatMap(([collection, schema]): [string, Collection][] => {
    const found = schemas[schema!];
    return found ? [[`${path.basename(name)}.${collection}`, collectionOf(found)]] : [];
  });
}

/** Reads a tree of sources, whose libraries and services are built. */
async function snapshotOf(root: string): Promise<Snapshot> {
  const services = fs.readdirSync(path.join(root, 'services')).map((name) => `services/${name}`);
  const collections = await Promise.all(services.map((name) => collectionsOf(root, name)));
  return {
    ...(await contractsOf(root)),
    ...(await busOf(root)),
    collections: Object.fromEntries(collections.flat()),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const snapshot = await snapshotOf(process.argv[2]!);
  fs.writeFileSync(process.argv[3]!, JSON.stringify(snapshot));
  // Modules of services keep timers and connections.
  process.exit(0);
}
