import { messaging } from './messaging.ts';

/**
 * Makes the NATS streams where `bus-setup` does not run.
 * @param natsUrl - a server without permissions.
 */
export async function makeStreams(natsUrl: string) {
  const [{ connectNats, StreamKeeper }, { createLogger }] = await Promise.all([messaging(), import('@swim/platform')]);
  const logger = createLogger('streams', 'silent');
  const connection = await connectNats(natsUrl, 'streams', logger);
  await new StreamKeeper(connection, logger).ensure().finally(() => connection.close());
}
