import * as contracts from '@swim/contracts';
import {
  BUS_DUTIES,
  ENVIRONMENTS,
  type Environment,
  type Operation,
  type ProcessName,
  SERVICES,
  type ServiceName,
  SUBSCRIPTIONS,
} from '@swim/contracts';
import { BUS_SETUP, type BusAccount, type BusProcess, inboxOf, userOf } from '../connection/users.js';
import { SIGNALS } from './event-signals.js';
import { consumersOf, eventStream, KEY_CONSUMERS, keyDeliveries, RATE_LIMITS, STREAMS } from './streams.js';

const BUS_ACCOUNTS: readonly BusAccount[] = ['rpc', 'events'];

/** These processes request operations. @public */
export const PROCESSES: readonly ProcessName[] = [BUS_DUTIES.servesClients, ...SERVICES];

type Requested = Pick<Operation, 'subject' | 'callers'>;

const isOperation = (value: unknown): value is Requested =>
  typeof value === 'object' && value !== null && 'subject' in value && 'callers' in value;

const OPERATIONS: readonly Requested[] = (Object.values(contracts) as unknown[]).flat().filter(isOperation);

/** A user has these permissions and no others. */
interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /** Whether it may reply to each request once. */
  readonly answers: boolean;
}

/** Derives the permissions of a process in an account from the `callers` of the operations. */
function permissionsOf(process: BusProcess, account: BusAccount): Permissions {
  const inbox = `${inboxOf(process)}.>`;
  if (process === BUS_SETUP) return { publish: streamUpkeep(), subscribe: [inbox], answers: false };
  if (account === 'events') {
    const received = process === BUS_DUTIES.servesClients ? [`${SIGNALS}.>`, ...ENVIRONMENTS.map(keyDeliveries)] : [];
    return { publish: eventSubjectsOf(process), subscribe: [inbox, ...received], answers: false };
  }
  const requested = OPERATIONS.filter(({ callers }) => callers.includes(process)).map(({ subject }) => subject);
  const served = process === BUS_DUTIES.servesClients ? [] : [`rpc.${process}.>`];
  return { publish: requested.sort(), subscribe: [inbox, ...served], answers: served.length > 0 };
}

function eventSubjectsOf(process: ProcessName): string[] {
  if (process === BUS_DUTIES.servesClients) return counting();
  return [
    `dead.${process}.>`,
    ...ENVIRONMENTS.flatMap((env) => [`event.${env}.${process}.>`, ...consuming(process, eventStream(env))]),
    ...(process === BUS_DUTIES.invalidatesKeys ? ENVIRONMENTS.map((env) => `keys.${env}.>`) : []),
    ...(process === BUS_DUTIES.storesEvents ? [`${SIGNALS}.>`, ...ENVIRONMENTS.flatMap(purging)] : []),
  ];
}

// A consumer needs its own durable consumer and the identity of the stream.
const consuming = (service: ServiceName, stream: string): string[] => [
  `$JS.API.STREAM.INFO.${stream}`,
  `$JS.API.CONSUMER.INFO.${stream}.${service}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${service}`,
  `$JS.ACK.${stream}.${service}.>`,
];

const counting = (): string[] => ['limits.>', `$JS.API.STREAM.INFO.${RATE_LIMITS}`];

// Before it purges, it reads what all consumers have acknowledged.
const purging = (env: Environment): string[] => [
  ...['PURGE', 'MSG.GET'].map((verb) => `$JS.API.STREAM.${verb}.${eventStream(env)}`),
  ...consumersOf(SUBSCRIPTIONS)
    .filter((consumer) => consumer.env === env && consumer.name !== BUS_DUTIES.storesEvents)
    .map(({ stream, name }) => `$JS.API.CONSUMER.INFO.${stream}.${name}`),
];

// A stream definition may republish, mirror or deliver to any subject and so bypass all permissions. Therefore the only
// process that may write definitions handles no requests or events. It deletes nothing, and makes only the declared
// streams and consumers.
const streamUpkeep = (): string[] => [
  ...STREAMS.flatMap(({ name }) => ['INFO', 'CREATE', 'UPDATE'].map((verb) => `$JS.API.STREAM.${verb}.${name}`)),
  ...[...consumersOf(SUBSCRIPTIONS), ...KEY_CONSUMERS].flatMap(({ stream, name }) => [
    ...['INFO', 'CREATE', 'DURABLE.CREATE'].map((verb) => `$JS.API.CONSUMER.${verb}.${stream}.${name}`),
    // The server requires the filter in the subject when a consumer has one.
    `$JS.API.CONSUMER.CREATE.${stream}.${name}.>`,
  ]),
];

const REPLIES_EXPIRE = '2m';
const list = (subjects: readonly string[]) => `[${subjects.map((subject) => JSON.stringify(subject)).join(', ')}]`;

function userBlock(process: BusProcess, account: BusAccount, password: string, granted: Permissions): string[] {
  const answers = granted.answers ? ` allow_responses: { max: 1, expires: "${REPLIES_EXPIRE}" },` : '';
  return [
    `{ user: "${userOf(process, account)}", password: ${password}, permissions: {`,
    `  publish: { allow: ${list(granted.publish)} },`,
    `  subscribe: { allow: ${list(granted.subscribe)} },${answers}`,
    '} }',
  ];
}

/**
 * Returns the accounts of a nats.conf. `passwordOf` returns a quoted password, or `$` and the name of a variable of the
 * file. @public
 */
export function natsAccounts(passwordOf: (process: BusProcess) => string): string {
  const account = (name: BusAccount, settings: string[]) => [
    `  ${name.toUpperCase()} {`,
    ...settings.map((line) => `    ${line}`),
    '    users: [',
    ...usersOf(passwordOf, [name]).map((line) => `      ${line}`),
    '    ]',
    '  }',
  ];
  return ['accounts {', ...account('rpc', []), ...account('events', ['jetstream: enabled']), '}', ''].join('\n');
}

/** Formats the users of an account as lines of a nats.conf. */
export function usersOf(
  passwordOf: (process: BusProcess) => string,
  accounts: readonly BusAccount[] = BUS_ACCOUNTS,
): string[] {
  return accounts.flatMap((account) =>
    [...PROCESSES, ...(account === 'events' ? [BUS_SETUP] : [])].flatMap((process) =>
      userBlock(process, account, passwordOf(process), permissionsOf(process, account)),
    ),
  );
}
