import { DiscardPolicy, type JetStreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { keyStreamConfig } from './key-news.js';

const HOUR_NS = 3_600_000_000_000;
const DAY_NS = 24 * HOUR_NS;

/** Stream that holds the events of one environment. */
export const eventStream = (env: Environment): string => `EVENTS_${env.toUpperCase()}`;

/** Stream that keeps what a consumer gave up on. */
export const DEAD_LETTERS = 'DEAD_LETTERS';

// Limits streams: a work queue would forget its message ids, and with them deduplication, at the acknowledgement.
const eventConfig = (env: Environment) => ({
  name: eventStream(env),
  subjects: [`event.${env}.>`],
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  discard: DiscardPolicy.Old,
  max_age: 7 * DAY_NS,
  duplicate_window: HOUR_NS / 4,
});

const deadLetterConfig = {
  name: DEAD_LETTERS,
  subjects: ['dead.>'],
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  max_age: 90 * DAY_NS,
};

/** Makes the streams that events and the news of keys need, or brings them to this shape. Every service does so at start; all agree. */
export async function ensureStreams(manager: JetStreamManager): Promise<void> {
  for (const config of [...ENVIRONMENTS.map(eventConfig), ...ENVIRONMENTS.map(keyStreamConfig), deadLetterConfig]) {
    const exists = await manager.streams.info(config.name).then(
      () => true,
      () => false,
    );
    if (exists) await manager.streams.update(config.name, config);
    else await manager.streams.add(config);
  }
}
