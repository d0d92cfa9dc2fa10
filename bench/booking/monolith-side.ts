import crypto from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg, { type Client } from 'pg';
import { installEngine } from '../../deploy/local/engine/install-engine.ts';
import { createCluster, postgresProcess } from '../../deploy/local/engine/postgres.ts';
import { dataFolder } from '../../deploy/system/files/folders.ts';
import { databaseUser } from '../../deploy/system/files/unprivileged-user.ts';
import { nodeProgram } from '../../deploy/system/processes/node-program.mjs';
import { accepts, freePort } from '../../deploy/system/processes/ports.ts';
import { createTimetable, type Dataset, dateOf, TERMS } from '../stack/dataset.ts';
import { processesOf, type Run } from '../stack/stack.ts';
import type { Side } from './sides.ts';

const SERVER = 'monolith';
const POSTGRES = 'monolith-postgres';
const SCHEMA = `
  create extension btree_gist;
  create table api_keys (hash text primary key, account_id text not null);
  create table instructors (id text primary key, account_id text not null, hourly_rate_cents int not null,
    currency text not null, max_group_size int not null, weekly jsonb not null, active boolean not null default true);
  create table lessons (id text primary key, school_id text not null, instructor_id text not null, capacity int not null,
    price_cents int not null, during tstzrange not null);
  create table places (lesson_id text references lessons, session_id text not null, member_id text not null,
    primary key (lesson_id, member_id));
  create table members (id text primary key, account_id text not null);
  create table idempotency (account_id text, key text, fingerprint text not null, response text not null,
    created_at timestamptz not null, primary key (account_id, key));
  create table bookings (id text primary key, account_id text not null, school_id text not null,
    instructor_id text not null references instructors, member_ids text[] not null, status text not null,
    payment_status text not null, amount_cents int not null, currency text not null, notes text, version int not null,
    created_at timestamptz not null, updated_at timestamptz not null);
  create index on bookings (account_id, id);
  create table sessions (id text primary key, booking_id text references bookings, account_id text not null,
    school_id text not null, instructor_id text not null references instructors, member_id text not null references members,
    during tstzrange not null, status text not null, price_cents int not null, currency text not null, version int not null,
    created_at timestamptz not null, updated_at timestamptz not null, lesson_id text references lessons,
    exclude using gist (instructor_id with =, during with &&) where (status = 'scheduled' and lesson_id is null),
    exclude using gist (member_id with =, during with &&) where (status = 'scheduled'));
  create index on sessions (account_id, lower(during));
  create table events (sequence bigint generated always as identity primary key, id text not null unique,
    account_id text not null, type text not null, object jsonb not null, created_at timestamptz not null);
  create index on events (account_id, sequence);`;

/**
 * Starts the monolith on a PostgreSQL of its own: the programs of the offline engine with its settings, without its
 * extensions.
 * @param dataset - its instructors and members are copied into the monolith.
 * @param lessons - lessons that it has, one half hour after the other.
 */
export async function startMonolith(
  run: Run,
  dataset: Dataset,
  lessons: { ids: string[]; capacity: number } = { ids: [], capacity: 0 },
): Promise<{ monolith: Side; stop: () => Promise<void> }> {
  const uri = await startPostgres(run);
  await withDatabase(uri, async (client) => {
    await fill(client, dataset);
    for (const [index, id] of lessons.ids.entries())
      await client.query(
        "insert into lessons values ($1, $2, $3, $4, 1800, tstzrange($5::timestamptz, $5::timestamptz + interval '30 minutes'))",
        [id, dataset.schoolId, dataset.pairs[0]!.instructorId, lessons.capacity, new Date(dateOf(index))],
      );
  });
  const port = await freePort();
  await run.supervisor.launch({
    name: SERVER,
    command: nodeProgram(),
    args: [fileURLToPath(new URL('./monolith.ts', import.meta.url))],
    env: { ...run.env, PORT: String(port), MONOLITH_DATABASE: uri },
    isReady: () => accepts(port),
  });
  const monolith = {
    name: 'monolith',
    origin: `http://127.0.0.1:${port}`,
    processes: () => processesOf(run, [SERVER, POSTGRES]),
    dataset,
    nextBooking: createTimetable(dataset),
    bookings: [],
    // The monolith has no background work after a response.
    drain: async () => {},
  };
  return { monolith, stop: () => run.supervisor.stop([SERVER, POSTGRES]) };
}

async function startPostgres({ supervisor, folder, log }: Run) {
  const paths = await installEngine({ log });
  const user = databaseUser();
  const cluster = path.join(dataFolder(path.join(folder, POSTGRES, crypto.randomUUID()), user), 'cluster');
  const password = crypto.randomBytes(32).toString('hex');
  await createCluster({ paths, folder: cluster, user, password });
  const port = await freePort();
  const uri = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const postgres = postgresProcess({ paths, folder: cluster, user, password, port, syncsToDisk: true });
  await supervisor.launch({
    ...postgres,
    name: POSTGRES,
    args: [...(postgres.args ?? []), '-c', 'shared_preload_libraries='],
    isReady: () => withDatabase(uri, async () => true),
  });
  return uri;
}

async function withDatabase<T>(uri: string, work: (client: Client) => Promise<T>) {
  const client = new pg.Client({ connectionString: uri });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function fill(client: Client, { familyKey, familyId, schoolId, pairs }: Dataset) {
  await client.query(SCHEMA);
  const hash = crypto.createHash('sha256').update(`Bearer ${familyKey}`).digest('hex');
  await client.query('insert into api_keys values ($1, $2)', [hash, familyId]);
  const { hourly_rate_cents: rate, currency, max_group_size: size, availability_schedule: hours } = TERMS;
  for (const { instructorId, memberId } of pairs) {
    await client.query('insert into instructors values ($1, $2, $3, $4, $5, $6)', [
      instructorId,
      schoolId,
      rate,
      currency,
      size,
      JSON.stringify(hours.weekly),
    ]);
    await client.query('insert into members values ($1, $2)', [memberId, familyId]);
  }
}
