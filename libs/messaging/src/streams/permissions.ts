import * as contracts from '@swim/contracts';
import {
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

/** Every process that requests operations. @public */
export const PROCESSES: readonly ProcessName[] = ['gateway', ...SERVICES];

type Requested = Pick<Operation, 'subject' | 'callers'>;

const isOperation = (value: unknown): value is Requested =>
  typeof value === 'object' && value !== null && 'subject' in value && 'callers' in value;

/** Every operation of the contracts. */
const OPERATIONS: readonly Requested[] = (Object.values(contracts) as unknown[]).flat().filter(isOperation);

/** The permissions of a user, exclusively. */
interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /** Whether it may reply to requests, once each. */
  readonly answers: boolean;
}

/** The permissions of a process in an account, derived from the operations' `callers`. */
function permissionsOf(process: BusProcess, account: BusAccount): Permissions {
  const inbox = `${inboxOf(process)}.>`;
  if (process === BUS_SETUP) return { publish: streamUpkeep(), subscribe: [inbox], answers: false };
  if (account === 'events') {
    const received = process === 'gateway' ? [`${SIGNALS}.>`, ...ENVIRONMENTS.map(keyDeliveries)] : [];
    return { publish: eventSubjectsOf(process), subscribe: [inbox, ...received], answers: false };
  }
  const requested = OPERATIONS.filter(({ callers }) => callers.includes(process)).map(({ subject }) => subject);
  const served = process === 'gateway' ? [] : [`rpc.${process}.>`];
  return { publish: requested.sort(), subscribe: [inbox, ...served], answers: served.length > 0 };
}

function eventSubjectsOf(process: ProcessName): string[] {
  if (process === 'gateway') return counting();
  return [
    `dead.${process}.>`,
    ...ENVIRONMENTS.flatMap((env) => [`event.${env}.${process}.>`, ...consuming(process, eventStream(env))]),
    ...(process === 'people' ? ENVIRONMENTS.map((env) => `keys.${env}.>`) : []),
    ...(process === 'notification' ? [`${SIGNALS}.>`, ...ENVIRONMENTS.flatMap(purging)] : []),
  ];
}

// Its own durable consumer, and the identity of the stream.
const consuming = (service: ServiceName, stream: string): string[] => [
  `$JS.API.STREAM.INFO.${stream}`,
  `$JS.API.CONSUMER.INFO.${stream}.${service}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${service}`,
  `$JS.ACK.${stream}.${service}.>`,
];

const counting = (): string[] => ['limits.>', `$JS.API.STREAM.INFO.${RATE_LIMITS}`];

// It also has to know what the other consumers have acknowledged.
const purging = (env: Environment): string[] => [
  ...['PURGE', 'MSG.GET'].map((verb) => `$JS.API.STREAM.${verb}.${eventStream(env)}`),
  ...consumersOf(SUBSCRIPTIONS)
    .filter((consumer) => consumer.env === env && consumer.name !== 'notification')
    .map(({ stream, name }) => `$JS.API.CONSUMER.INFO.${stream}.${name}`),
];

// A definition may republish, mirror or deliver to any subject, past all permissions: the one process that may write them handles
// nothing from outside, neither requests nor events. It deletes nothing, and makes only the streams and consumers that are declared.
const streamUpkeep = (): string[] => [
  ...STREAMS.flatMap(({ name }) => ['INFO', 'CREATE', 'UPDATE'].map((verb) => `$JS.API.STREAM.${verb}.${name}`)),
  ...[...consumersOf(SUBSCRIPTIONS), ...KEY_CONSUMERS].flatMap(({ stream, name }) => [
    ...['INFO', 'CREATE', 'DURABLE.CREATE'].map((verb) => `$JS.API.CONSUMER.${verb}.${stream}.${name}`),
    // The server demands the filter of a consumer that has one.
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
 * The accounts of a nats.conf. `passwordOf` returns a password as the file needs it: quoted, or the name of a variable of the
 * file after a `$`. @public
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

/** The users of these accounts of NATS, as lines of a nats.conf. */
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
