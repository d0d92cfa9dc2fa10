import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import {
  BUS_DUTIES,
  ENVIRONMENTS,
  type Environment,
  type EventType,
  type ProcessName,
  type ServiceName,
  type SUBSCRIPTIONS,
} from '@swim/contracts';

const MINUTE_NS = 60_000_000_000;
const HOUR_NS = 60 * MINUTE_NS;
const DAY_NS = 24 * HOUR_NS;
const MIB = 1024 * 1024;

// A message is redelivered when its process has reported no progress for this time (ns).
const ACK_WAIT_NS = 5_000_000_000;
/** A consumer holds at most this many unacknowledged messages. */
export const MAX_UNACKED = 256;

/** The maximum size of an event stream on disk: the sandbox must not fill the disk of live. */
export const EVENT_BYTES: Record<Environment, number> = { live: 1024 * MIB, test: 256 * MIB };

export const eventStream = (env: Environment): string => `EVENTS_${env.toUpperCase()}`;

/** This stream stores events that a consumer has failed on permanently. */
export const DEAD_LETTERS = 'DEAD_LETTERS';

/** The subjects of this stream are the counters of the rate limits (NATS ADR-49, server 2.12 and later). */
export const RATE_LIMITS = 'RATE_LIMITS';

export const keyStream = (env: Environment): string => `KEYS_${env.toUpperCase()}`;

/** NATS delivers the key invalidations of an environment on this subject to all gateways. */
export const keyDeliveries = (env: Environment): string => `key-deliveries.${env}`;

type Stream = Partial<StreamConfig> & { name: string };

// Limits retention: a work queue would drop message ids, and with them deduplication, at the acknowledgement. A full stream
// rejects new messages instead of dropping unconsumed ones; consumed ones are purged.
const eventConfig = (env: Environment): Stream => ({
  name: eventStream(env),
  subjects: [`event.${env}.>`],
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  discard: DiscardPolicy.New,
  max_bytes: EVENT_BYTES[env],
  max_age: 7 * DAY_NS,
  duplicate_window: 15 * MINUTE_NS,
});

// A gateway that starts to read verifies all of its keys, so old invalidations are not needed.
const keyConfig = (env: Environment): Stream => ({
  name: keyStream(env),
  subjects: [`keys.${env}.>`],
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  discard: DiscardPolicy.Old,
  max_age: 10 * MINUTE_NS,
  duplicate_window: 2 * MINUTE_NS,
});

const deadLetterConfig: Stream = {
  name: DEAD_LETTERS,
  subjects: ['dead.>'],
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  max_age: 90 * DAY_NS,
  // An event of a group is stored here at each redelivery of the group.
  duplicate_window: HOUR_NS,
};

// The stream is in memory: a window is short, and restarts with NATS.
const rateLimitConfig: Stream = {
  name: RATE_LIMITS,
  subjects: ['limits.>'],
  retention: RetentionPolicy.Limits,
  storage: StorageType.Memory,
  discard: DiscardPolicy.Old,
  allow_msg_counter: true,
  max_msgs_per_subject: 1,
  max_age: 2 * HOUR_NS,
};

export const STREAMS: readonly Stream[] = [
  ...ENVIRONMENTS.map(eventConfig),
  ...ENVIRONMENTS.map(keyConfig),
  deadLetterConfig,
  rateLimitConfig,
];

export type Subscriptions = typeof SUBSCRIPTIONS;

export interface DurableConsumer {
  readonly env: Environment;
  readonly stream: string;
  /** The name of the consuming process. */
  readonly name: ProcessName;
  readonly config: Partial<ConsumerConfig>;
}

const subjectOf = (env: Environment, type: EventType | '*'): string =>
  type === '*' ? `event.${env}.>` : `event.${env}.${type.service}.${type.type}.*`;

/**
 * A push consumer can deliver to any subject and so bypass all permissions. Therefore gateways share one that they
 * cannot change.
 */
export const KEY_CONSUMERS: readonly DurableConsumer[] = ENVIRONMENTS.map((env) => ({
  env,
  stream: keyStream(env),
  name: BUS_DUTIES.servesClients,
  config: {
    deliver_subject: keyDeliveries(env),
    // Messages that are published before a lost consumer is made again must be delivered too.
    deliver_policy: DeliverPolicy.All,
    ack_policy: AckPolicy.None,
    idle_heartbeat: 250 * 1_000_000,
  },
}));

/** Returns one durable consumer for each environment and consuming service. */
export function consumersOf(subscriptions: Subscriptions): DurableConsumer[] {
  const services = Object.entries(subscriptions) as [ServiceName, readonly (EventType | '*')[]][];
  return ENVIRONMENTS.flatMap((env) =>
    services.map(([name, types]) => ({
      env,
      stream: eventStream(env),
      name,
      config: {
        ack_policy: AckPolicy.Explicit,
        ack_wait: ACK_WAIT_NS,
        max_ack_pending: MAX_UNACKED,
        filter_subjects: types.map((type) => subjectOf(env, type)),
      },
    })),
  );
}
